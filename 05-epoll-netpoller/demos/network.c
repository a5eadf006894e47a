/* network.c - addresses and limits. No chapter teaches this. */
#define _GNU_SOURCE
#include "network.h"

#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { USAGE_ERROR = 2 };

static void write_text(struct address *address) {
    char host[INET6_ADDRSTRLEN + IF_NAMESIZE] = "?", port[8] = "?";

    getnameinfo((const struct sockaddr *)&address->storage, address->size, host,
                sizeof host, port, sizeof port,
                NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(address->text, sizeof address->text,
             address->storage.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host,
             port);
}

/* Such an address is on every interface: which one is meant? */
static bool needs_interface(const struct sockaddr *address) {
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;

    return address->sa_family == AF_INET6 && six->sin6_scope_id == 0 &&
           IN6_IS_ADDR_LINKLOCAL(&six->sin6_addr);
}

void address_parse(struct address *address, const char *host, int port) {
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
                             .ai_socktype = SOCK_STREAM};
    struct addrinfo *found;
    char digits[16];

    snprintf(digits, sizeof digits, "%d", port);
    if (getaddrinfo(host, digits, &hints, &found) != 0)
        errx(USAGE_ERROR,
             "--address: '%s' is not an address such as 127.0.0.1 or ::1",
             host);
    if (needs_interface(found->ai_addr))
        errx(USAGE_ERROR,
             "--address: '%s' needs its interface too, such as %s%%eth0", host,
             host);
    memcpy(&address->storage, found->ai_addr, found->ai_addrlen);
    address->size = found->ai_addrlen;
    freeaddrinfo(found);
    write_text(address);
}

/* By errno it is the port that cannot be had, or the address. */
_Noreturn static void refuse(const char *host, int port) {
    if (errno == EADDRINUSE || errno == EACCES)
        err(EXIT_FAILURE, "--port %d: choose another, or 0 for any", port);
    if (errno == EADDRNOTAVAIL)
        err(EXIT_FAILURE, "--address %s must be one of this machine", host);
    err(EXIT_FAILURE, "--address %s: cannot listen there", host);
}

int address_listen(struct address *address, const char *host, int port,
                   int backlog) {
    struct sockaddr *storage = (struct sockaddr *)&address->storage;
    int fd = socket(storage->sa_family,
                    SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int yes = 1;

    if (fd == -1)
        refuse(host, port);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (bind(fd, storage, address->size) == -1 || listen(fd, backlog) == -1 ||
        getsockname(fd, storage, &address->size) == -1)
        refuse(host, port);
    write_text(address);
    return fd;
}

void allow_descriptors(void) {
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == -1)
        return;
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) == -1)
        warn("cannot raise the limit on open descriptors");
}
