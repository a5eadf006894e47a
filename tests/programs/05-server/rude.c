/*
 * rude.c - a client that does what a server has to stand: rude PORT TEST.
 *
 * Blocking sockets, no runtime of ours, and twenty seconds of patience. A
 * second connection that asks for /stats serves as a barrier: the server has
 * one thread, so once it answers it has also seen what was sent before.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

enum { ANSWER_MAX = 1 << 16, PATIENCE = 20 };

#define HOST    "Host: bakery\r\n"
#define CHUNKED "Transfer-Encoding: chunked\r\n"

static int port;
static char answer[ANSWER_MAX];

static int dial(void) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((unsigned short)port)};
    struct timeval patience = {.tv_sec = PATIENCE};
    int fd = socket(AF_INET, SOCK_STREAM, 0), yes = 1;

    CHECK(fd != -1);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    CHECK(connect(fd, (struct sockaddr *)&address, sizeof address) == 0);
    return fd;
}

static void say_bytes(int fd, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t count = send(fd, bytes, size, MSG_NOSIGNAL);
        CHECK(count > 0);
        bytes += count;
        size -= (size_t)count;
    }
}

static void say(int fd, const char *text) { say_bytes(fd, text, strlen(text)); }

/* Reads up to the end of a head and no further. Returns its size. */
static size_t hear_head(int fd) {
    size_t size = 0;
    char *end = NULL;

    while (end == NULL) {
        ssize_t more = recv(fd, answer + size, 4096, MSG_PEEK);
        CHECK(more > 0 && size < ANSWER_MAX / 2);
        end = memmem(answer, size + (size_t)more, "\r\n\r\n", 4);
        if (end != NULL)
            more = end + 4 - (answer + size);
        CHECK(read(fd, answer + size, (size_t)more) == more);
        size += (size_t)more;
    }
    return size;
}

/* Reads one answer, whose body has its Content-Length. Returns its status. */
static int hear(int fd, bool has_body) {
    size_t size = hear_head(fd), length;
    char *body;
    int status;

    answer[size] = '\0';
    CHECK(sscanf(answer, "HTTP/1.1 %d ", &status) == 1);
    CHECK((body = strstr(answer, "\r\nContent-Length: ")) != NULL);
    CHECK(sscanf(body + 18, "%zu", &length) == 1);
    CHECK(size + length < ANSWER_MAX);
    if (has_body && length > 0) {
        CHECK(recv(fd, answer + size, length, MSG_WAITALL) == (ssize_t)length);
        size += length;
    }
    answer[size] = '\0';
    return status;
}

/* The server has closed, in an orderly way, and has nothing more to say. */
static void check_closed(int fd) {
    char byte;

    CHECK(read(fd, &byte, 1) == 0);
    close(fd);
}

static void check_reset(int fd) {
    char byte;

    CHECK(read(fd, &byte, 1) <= 0);
    close(fd);
}

/* The number behind that name in /stats, and the barrier. */
static int count(const char *name) {
    int fd = dial(), number;
    char *line;

    say(fd, "GET /stats HTTP/1.1\r\nConnection: close\r\n" HOST "\r\n");
    CHECK(hear(fd, true) == 200);
    check_closed(fd);
    CHECK((line = strstr(answer, name)) != NULL);
    CHECK(sscanf(line + strlen(name), "%d", &number) == 1);
    return number;
}

static void barrier(void) {
    count("here now");
    count("here now");
}

/* Until /stats says so, which it must in the end. */
static void await(const char *name, int number) {
    time_t start = time(NULL);

    while (count(name) != number) {
        CHECK(time(NULL) < start + PATIENCE);
        usleep(10 * 1000);
    }
}

static void split(void) {
    static const char request[] =
        "GET /order/cookies HTTP/1.1\r\n" HOST "Content-Length: 3\r\n\r\nabc";
    int fd = dial();

    for (size_t i = 1; i < sizeof request - 1; i++) {
        say_bytes(fd, request, i);
        barrier();
        say(fd, request + i);
        CHECK(hear(fd, true) == 200);
        CHECK(strstr(answer, "\r\n\r\ncookies, fresh") != NULL);
    }
    for (size_t i = 0; i < sizeof request - 1; i++) {
        say_bytes(fd, request + i, 1);
        barrier();
    }
    CHECK(hear(fd, true) == 200);
    close(fd);
}

/* Everything is read, whatever the pieces, and the next request is found. */
static void chunked(void) {
    static const char request[] =
        "POST /stats HTTP/1.1\r\n" HOST CHUNKED "\r\n"
        "5;like=this\r\nbread\r\n"
        "B\r\n and cheese\r\n"
        "0\r\nTrailer: yes\r\n\r\n"
        "GET /order/cookies HTTP/1.1\r\n" HOST CHUNKED "\r\n0\r\n\r\n";
    int fd = dial();

    for (size_t i = 1; i < sizeof request; i += i < 70 ? 23 : 1) {
        say_bytes(fd, request, i);
        barrier();
        say(fd, request + i);
        CHECK(hear(fd, true) == 405);
        CHECK(hear(fd, true) == 200 && strstr(answer, "cookies, fresh"));
    }
    say(fd, "GET /order/cookies HTTP/1.1\r\n" HOST CHUNKED "\r\n5\r\nbre");
    shutdown(fd, SHUT_WR);
    CHECK(hear(fd, true) == 400);
    check_closed(fd);
}

static void pipelined(void) {
    int fd = dial();
    char all[8192] = "";

    for (int i = 0; i < 50; i++)
        strcat(all, "GET /order/cookies HTTP/1.1\r\n" HOST "\r\n"
                    "HEAD / HTTP/1.1\r\n" HOST "Content-Length: 2\r\n\r\nxy"
                    "GET /nothing HTTP/1.1\r\n" HOST "\r\n");
    strcat(all, "GET / HTTP/1.1\r\nConnection: close\r\n" HOST "\r\n"
                "GET /never HTTP/1.1\r\n" HOST "\r\n");
    say(fd, all);
    for (int i = 0; i < 50; i++) {
        CHECK(hear(fd, true) == 200 && strstr(answer, "cookies, fresh"));
        CHECK(hear(fd, false) == 200 && strstr(answer, "Vary: Accept"));
        CHECK(hear(fd, true) == 404);
    }
    CHECK(hear(fd, true) == 200 && strstr(answer, "Connection: close"));
    check_closed(fd);
}

/* What HTTP/1.1 would do with it, one connection each. */
static void refused(void) {
    static char big[20000];
    static const struct {
        int status;
        const char *request, *field;
    } cases[] = {
        {400, "GET / HTTP/1.1\r\n\r\n", ""},
        {400, "GET / HTTP/1.1\r\n" HOST HOST "\r\n", ""},
        {400, "\x16\x03\x01\x02", ""},
        {400, "GET / HTTP/1.1\r\n" HOST "A: b\r\n c\r\n\r\n", ""},
        {404, "GET /x HTTP/1.0\r\n\r\n", ""},
        {405, "POST / HTTP/1.0\r\n\r\n", "\r\nAllow: GET, HEAD\r\n"},
        {413, "GET / HTTP/1.1\r\n" HOST "Content-Length: 99999\r\n\r\n", ""},
        {417, "GET / HTTP/1.1\r\n" HOST "Expect: cake\r\n\r\n", ""},
        {501, "GET / HTTP/1.1\r\n" HOST "Transfer-Encoding: gzip\r\n\r\n", ""},
        {400, "GET / HTTP/1.0\r\n" CHUNKED "\r\n", ""},
        {400,
         "GET / HTTP/1.1\r\n" HOST CHUNKED "Content-Length: 5\r\n\r\n"
         "0\r\n\r\n",
         ""},
        {400, "GET / HTTP/1.1\r\n" HOST CHUNKED "\r\n5\r\nbread;", ""},
        {400, "GET / HTTP/1.1\r\nConnection: close\r\n" HOST CHUNKED "\r\nx",
         ""},
        {413, "GET / HTTP/1.1\r\n" HOST CHUNKED "\r\n10001\r\n", ""},
        {431, "GET / HTTP/1.1\r\n" HOST CHUNKED "\r\n0\r\nA:", ""},
        {501, "BAKE / HTTP/1.0\r\n\r\n", ""},
        {505, "GET / HTTP/2.0\r\n", ""},
        {414, "GET /", ""},
        {431, "GET / HTTP/1.1\r\n" HOST "A: ", ""},
    };

    memset(big, 'x', sizeof big);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int fd = dial();
        say(fd, cases[i].request);
        say_bytes(fd, big,
                  sizeof big); /* unread: it must not cost the answer */
        CHECK(hear(fd, true) == cases[i].status);
        CHECK(strstr(answer, "\r\nConnection: close\r\n") != NULL);
        CHECK(strstr(answer, cases[i].field) != NULL);
        shutdown(fd, SHUT_WR);
        check_closed(fd);
    }
}

static void expects(void) {
    static const char *const framings[][2] = {
        {"Content-Length: 2\r\n\r\n", "xy"},
        {CHUNKED "\r\n", "2\r\nxy\r\n0\r\n\r\n"}};
    int fd = dial();
    char go_on[26] = "";

    for (int i = 0; i < 2; i++) {
        say(fd, "GET / HTTP/1.1\r\n" HOST "Expect: 100-continue\r\n");
        say(fd, framings[i][0]);
        CHECK(recv(fd, go_on, 25, MSG_WAITALL) == 25);
        CHECK(strcmp(go_on, "HTTP/1.1 100 Continue\r\n\r\n") == 0);
        say(fd, framings[i][1]);
        CHECK(hear(fd, true) == 200);
    }
    say(fd, "POST / HTTP/1.1\r\n" HOST
            "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    CHECK(hear(fd, true) == 405);
    shutdown(fd, SHUT_WR);
    check_closed(fd);
}

static void half_closed(void) {
    int fd = dial(), other = dial(), empty = dial();

    say(fd, "GET /order/bread HTTP/1.1\r\n" HOST "\r\n\r\n");
    shutdown(fd, SHUT_WR);
    CHECK(hear(fd, true) == 200);
    CHECK(strstr(answer, "bread, fresh from the oven\n") != NULL);
    check_closed(fd);
    say(other, "GET /order/bread HT");
    shutdown(other, SHUT_WR);
    CHECK(hear(other, true) == 400);
    check_closed(other);
    say(empty, "\r\n\r\n");
    shutdown(empty, SHUT_WR);
    check_closed(empty);
}

/* In the middle of a request, in the oven, and of an answer. */
static void reset(void) {
    static const char *const requests[] = {
        "", "GET /or", "GET /order/bread HTTP/1.1\r\n" HOST "\r\n",
        "GET / HTTP/1.1\r\n" HOST "\r\n"};
    struct linger drop = {.l_onoff = 1};

    for (int i = 0; i < 200; i++) {
        int fd = dial();
        say(fd, requests[i % 4]);
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &drop, sizeof drop);
        if (i % 8 < 4)
            barrier();
        close(fd);
    }
    await("here now", 1);
    CHECK(count("in the oven") == 0);
}

/* Of the body comes a half, and then nothing more: that is no order. */
static void cut_off(void) {
    struct linger drop = {.l_onoff = 1};
    int fd = dial();

    say(fd,
        "GET /order/cookies HTTP/1.1\r\nContent-Length: 8\r\n" HOST "\r\nfour");
    barrier();
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &drop, sizeof drop);
    close(fd);
    await("here now", 1);
    CHECK(count("cookies") == 0);
}

static const char page[] =
    "GET / HTTP/1.1\r\nAccept: text/html\r\n" HOST "\r\n";

/* Until the server does no more, as it cannot write. Returns what it did. */
static int await_standstill(void) {
    int before, now = count("requests");

    do {
        before = now;
        usleep(100 * 1000);
        now = count("requests");
    } while (now != before + 1); /* but for our own */
    return now;
}

/* Orders more pages than all buffers hold, and reads none for a while. */
static void slow(void) {
    enum { PAGES = 3000 };
    int fd = dial(), narrow = 65536;

    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &narrow, sizeof narrow);
    pid_t writer = fork();
    CHECK(writer != -1);
    if (writer == 0) {
        for (int i = 0; i < PAGES; i++)
            say(fd, page);
        _exit(EXIT_SUCCESS);
    }
    CHECK(await_standstill() < PAGES); /* and yet it answered us */
    for (int i = 0; i < PAGES; i++) {
        CHECK(hear(fd, true) == 200);
        CHECK(strcmp(strrchr(answer, '<'), "</html>\n") == 0);
    }
    CHECK(waitpid(writer, NULL, 0) == writer);
    shutdown(fd, SHUT_WR);
    check_closed(fd);
}

/* For a server with little patience: it throws us out. */
static void too_slow(void) {
    int fd = dial();

    while (send(fd, page, sizeof page - 1, MSG_NOSIGNAL) > 0)
        continue;
    CHECK(errno == ECONNRESET || errno == EPIPE);
    await("here now", 1);
    close(fd);
}

static void silent(void) {
    int mute = dial(), begun = dial(), body = dial(), kept = dial();

    say(begun, "GET / HTTP/1.1\r\n" HOST);
    say(body, "GET / HTTP/1.1\r\nContent-Length: 5\r\n" HOST "\r\nab");
    say(kept, "GET / HTTP/1.1\r\n" HOST "\r\n");
    CHECK(hear(kept, true) == 200);
    check_closed(kept);
    check_closed(mute);
    CHECK(hear(begun, true) == 408);
    CHECK(strstr(answer, "\r\nConnection: close\r\n") != NULL);
    check_closed(begun);
    CHECK(hear(body, true) == 408);
    check_closed(body);
}

static void garbage(void) {
    unsigned seed = 1;
    char bytes[3000];

    for (int i = 0; i < 200; i++) {
        int fd = dial();
        size_t size = seed % sizeof bytes;
        for (size_t j = 0; j < size; j++) {
            seed = seed * 1103515245 + 12345;
            bytes[j] = (char)(seed >> 16);
        }
        say_bytes(fd, bytes, size);
        shutdown(fd, SHUT_WR);
        if (size > 0)
            CHECK(hear(fd, true) >= 400);
        check_closed(fd);
    }
    CHECK(count("here now") == 1);
}

/* More customers than the server has descriptors for. */
static void crowd(void) {
    enum { CROWD = 40 };
    int fds[CROWD];

    for (int i = 0; i < CROWD; i++) {
        fds[i] = dial();
        say(fds[i], "GET / HTTP/1.1\r\n" HOST "\r\n");
    }
    for (int i = 0; i < CROWD; i++) {
        CHECK(hear(fds[i], true) == 200);
        close(fds[i]);
    }
    await("here now", 1);
    CHECK(count("customers") > CROWD);
}

/* One keeps the only buffer that there is, while others order twice. */
static void hoard(void) {
    int half = dial(), fds[10];

    say(half, "GET / HTTP/1.1\r\n");
    for (int i = 0; i < 10; i++) {
        fds[i] = dial();
        say(fds[i], "GET /order/cookies HTTP/1.1\r\n" HOST "\r\n"
                    "GET /order/cookies HTTP/1.1\r\n" HOST "\r\n");
    }
    getchar(); /* until the server has complained */
    say(half, HOST "\r\n");
    CHECK(hear(half, true) == 200);
    for (int i = 0; i < 10; i++)
        CHECK(hear(fds[i], true) == 200 && hear(fds[i], true) == 200);
}

/* Orders, idles and hesitates; meanwhile the server is told to stop. */
static void stop(int pid) {
    int order[3], idle = dial(), mute = dial(), late = dial(), nobody;
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((unsigned short)port)};

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    say(idle, "GET / HTTP/1.1\r\n" HOST "\r\n");
    CHECK(hear(idle, true) == 200);
    say(late, "GET /order/bread HTTP/1.1\r\n");
    for (int i = 0; i < 3; i++) {
        order[i] = dial();
        say(order[i], "GET /order/bread HTTP/1.1\r\n" HOST "\r\n"
                      "GET /order/bread HTTP/1.1\r\n" HOST "\r\n");
    }
    await("in the oven", 3);
    CHECK(kill(pid, SIGTERM) == 0);
    check_closed(idle);
    check_closed(mute);
    nobody = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(connect(nobody, (struct sockaddr *)&address, sizeof address) == -1);
    CHECK(errno == ECONNREFUSED);
    say(late, HOST "\r\n");
    for (int i = 0; i < 3; i++) {
        CHECK(hear(order[i], true) == 200);
        CHECK(strstr(answer, "bread, fresh from the oven\n") != NULL);
        CHECK(strstr(answer, "\r\nConnection: close\r\n") != NULL);
        check_closed(order[i]);
    }
    CHECK(hear(late, true) == 200);
    check_closed(late);
}

static void await_state(int pid, char wanted) {
    char path[32], state = ' ';
    FILE *file;

    sprintf(path, "/proc/%d/stat", pid);
    for (time_t start = time(NULL); state != wanted; usleep(1000)) {
        CHECK(time(NULL) < start + PATIENCE);
        CHECK((file = fopen(path, "r")) != NULL);
        CHECK(fscanf(file, "%*d (%*[^)]) %c", &state) == 1);
        fclose(file);
    }
}

/* Requests that have arrived, and a half, when the server is told to stop. */
static void arrived(int pid) {
    enum { NEW = 10, KEPT = 3 };
    int fds[NEW + KEPT], half = dial();

    for (int i = 0; i < KEPT; i++) {
        fds[i] = dial();
        say(fds[i], "GET / HTTP/1.1\r\n" HOST "\r\n");
        CHECK(hear(fds[i], true) == 200);
    }
    barrier();
    CHECK(kill(pid, SIGSTOP) == 0);
    await_state(pid, 'T');
    for (int i = KEPT; i < KEPT + NEW; i++)
        fds[i] = dial(); /* by the kernel */
    for (int i = 0; i < KEPT + NEW; i++)
        say(fds[i], "GET /order/cookies HTTP/1.1\r\n" HOST "\r\n");
    say(half, "GET /order/cookies HTTP/1.1\r\n");
    CHECK(kill(pid, SIGTERM) == 0 && kill(pid, SIGCONT) == 0);
    for (int i = 0; i < KEPT + NEW; i++) {
        CHECK(hear(fds[i], true) == 200);
        CHECK(strstr(answer, "\r\nConnection: close\r\n") != NULL);
        check_closed(fds[i]);
    }
    say(half, HOST "\r\n");
    CHECK(hear(half, true) == 200);
    check_closed(half);
}

/* Two signals, one after the other: an order that would bake for long. */
static void stop_twice(int pid) {
    int fd = dial();

    say(fd, "GET /order/bread HTTP/1.1\r\n" HOST "\r\n");
    int idle = dial();
    await("in the oven", 1);
    CHECK(kill(pid, SIGTERM) == 0);
    check_closed(idle); /* the first one has been understood */
    CHECK(kill(pid, SIGTERM) == 0);
    check_reset(fd);
}

/* Customers who come, are served and stay, and are served again. */
static void keep(int customers) {
    struct rlimit limit;
    int *fds = calloc((size_t)customers, sizeof *fds);

    CHECK(fds != NULL && getrlimit(RLIMIT_NOFILE, &limit) == 0);
    limit.rlim_cur = limit.rlim_max;
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < customers; i++) {
            if (round == 0)
                fds[i] = dial();
            say(fds[i], "GET / HTTP/1.1\r\n" HOST "\r\n");
        }
        for (int i = 0; i < customers; i++)
            CHECK(hear(fds[i], true) == 200);
        CHECK(count("here now") == customers + 1);
    }
    printf("%d customers stayed\n", customers);
    fflush(stdout);
    getchar(); /* until somebody has looked at the server */
    free(fds);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(void);
        void (*run_with)(int number);
    } tests[] = {
        {"split", split, NULL},         {"chunked", chunked, NULL},
        {"pipelined", pipelined, NULL}, {"refused", refused, NULL},
        {"expects", expects, NULL},     {"half_closed", half_closed, NULL},
        {"reset", reset, NULL},         {"cut_off", cut_off, NULL},
        {"slow", slow, NULL},           {"too_slow", too_slow, NULL},
        {"silent", silent, NULL},       {"garbage", garbage, NULL},
        {"crowd", crowd, NULL},         {"hoard", hoard, NULL},
        {"stop", NULL, stop}, /* the process to stop; how many stay */
        {"arrived", NULL, arrived},     {"stop_twice", NULL, stop_twice},
        {"keep", NULL, keep},
    };

    CHECK(argc >= 3);
    port = atoi(argv[1]);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        if (strcmp(argv[2], tests[i].name) != 0)
            continue;
        if (tests[i].run != NULL)
            tests[i].run();
        else
            tests[i].run_with(atoi(argv[3]));
        return EXIT_SUCCESS;
    }
    fprintf(stderr, "%s: no such test\n", argv[2]);
    return EXIT_FAILURE;
}
