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
 * Reads --address and --port. The address must be in digits: a name would have
 * to be asked for, and that blocks. Does not return from a wrong one: one line
 * on stderr, status 2.
 */
void address_parse(struct address *address, const char *host, int port);

/*
 * Opens a socket that listens there, and is non-blocking. Afterwards the
 * address has the port that the socket has, also if 0 was asked for. Does not
 * return if the system refuses: one line on stderr, status 1.
 */
int address_listen(struct address *address, const char *host, int port,
                   int backlog);

/* Raises the limit on open descriptors as far as the system lets us. */
void allow_descriptors(void);

#endif
