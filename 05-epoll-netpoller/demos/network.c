/* network.c - addresses and limits. No chapter teaches this. */
#define _GNU_SOURCE
#include "network.h"

#include <arpa/inet.h>
#include <err.h>
#include <net/if.h>
#include <netdb.h>
#include <stdio.h>
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
    memcpy(&address->storage, found->ai_addr, found->ai_addrlen);
    address->size = found->ai_addrlen;
    freeaddrinfo(found);
    write_text(address);
}

int address_of_socket(struct address *address, int fd) {
    address->size = sizeof address->storage;
    if (getsockname(fd, (struct sockaddr *)&address->storage, &address->size) ==
        -1)
        return -1;
    write_text(address);
    return 0;
}

void allow_descriptors(void) {
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == -1)
        return;
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) == -1)
        warn("cannot raise the limit on open descriptors");
}
