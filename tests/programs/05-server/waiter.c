/*
 * waiter.c - a server that always says the same: waiter ANSWER.
 *
 * In the answer \r and \n are written with a backslash. Each customer gets it
 * one byte at a time, after the request, and then the connection ends.
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"

static void unescape(char *text) {
    char *to = text;

    for (; *text != '\0'; text++)
        if (*text == '\\')
            *to++ = *++text == 'r' ? '\r' : '\n';
        else
            *to++ = *text;
    *to = '\0';
}

static void serve(int fd, const char *answer) {
    char request[4096] = "";
    size_t size = 0;
    int yes = 1;

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    while (strstr(request, "\r\n\r\n") == NULL) {
        ssize_t count = read(fd, request + size, sizeof request - 1 - size);
        CHECK(count > 0);
        size += (size_t)count;
        request[size] = '\0';
    }
    for (; *answer != '\0'; answer++)
        if (send(fd, answer, 1, MSG_NOSIGNAL) != 1)
            break; /* the customer has heard enough */
    shutdown(fd, SHUT_WR);
    while (read(fd, request, sizeof request) > 0)
        continue;
    close(fd);
}

int main(int argc, char **argv) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    CHECK(argc == 2 && fd != -1);
    unescape(argv[1]);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CHECK(bind(fd, (struct sockaddr *)&address, size) == 0);
    CHECK(listen(fd, 10) == 0);
    CHECK(getsockname(fd, (struct sockaddr *)&address, &size) == 0);
    printf("listening on http://127.0.0.1:%d/\n", ntohs(address.sin_port));
    fflush(stdout);
    for (;;)
        serve(accept(fd, NULL, NULL), argv[1]);
}
