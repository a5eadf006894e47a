/* network.h - what server and customers both need to know of the network. */
#ifndef NETWORK_H
#define NETWORK_H

#include <sys/socket.h>

struct address {
    struct sockaddr_storage storage;
    socklen_t size;
    char text[80]; /* "127.0.0.1:8080" */
};

/*
 * From --address, in numbers, as a name would have to be asked for, and that
 * blocks; and from --port. Does not return from a wrong one: one line on
 * stderr, status 2.
 */
void address_parse(struct address *address, const char *host, int port);

/* The one that a socket is bound to. Returns 0, or -1 and errno. */
int address_of_socket(struct address *address, int fd);

/* Raises the limit on open descriptors as far as the system lets us. */
void allow_descriptors(void);

#endif
