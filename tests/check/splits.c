/*
 * splits.c - any split of any stream of requests gives the same answers.
 *
 *   ./splits SEED ROUNDS FILE...
 *
 * The files are streams. Each is cut at random, and so are random mixtures of
 * their parts, some with a byte that has been spoiled.
 */
#include <limits.h>

#include "random.h"
#include "requests.h"

enum { STREAMS_MAX = 100, STREAM_MAX = 100000, SPLITS = 10 };

struct stream {
    size_t size;
    char bytes[STREAM_MAX];
};

static struct {
    int count;
    struct stream *streams[STREAMS_MAX];
    int kinds[600]; /* how often each status came */
} test;

static size_t whole(void *unused) {
    (void)unused;
    return STREAM_MAX;
}

static size_t one_byte(void *unused) {
    (void)unused;
    return 1;
}

static size_t up_to(void *most) {
    return 1 + (size_t)random_below(*(int *)most);
}

/* A request may be right, and its body wrong. */
static int verdict(const struct http_request *request) {
    return request->status == 200 ? request->body.status : request->status;
}

static void split(const struct stream *stream) {
    static struct answers wanted, answers;

    answer_all(&wanted, stream->bytes, stream->size, whole, NULL);
    for (int i = 0; i < wanted.count; i++)
        test.kinds[verdict(&wanted.requests[i])]++;
    answer_all(&answers, stream->bytes, stream->size, one_byte, NULL);
    check_same(&wanted, &answers);
    for (int i = 0; i < SPLITS; i++) {
        int most = 1 + random_below(1 + (int)stream->size);
        answer_all(&answers, stream->bytes, stream->size, up_to, &most);
        check_same(&wanted, &answers);
    }
}

static struct stream *load(const char *path) {
    struct stream *stream = calloc(1, sizeof *stream);
    FILE *file = fopen(path, "rb");

    CHECK(stream != NULL && file != NULL);
    stream->size = fread(stream->bytes, 1, sizeof stream->bytes, file);
    CHECK(fclose(file) == 0);
    return stream;
}

static void append(struct stream *stream, const char *bytes, size_t size) {
    if (size > sizeof stream->bytes - stream->size)
        size = sizeof stream->bytes - stream->size;
    memcpy(stream->bytes + stream->size, bytes, size);
    stream->size += size;
}

/* A few streams in a row, mostly whole; in every other one a byte is spoilt. */
static void mix(struct stream *stream) {
    stream->size = 0;
    for (int parts = 1 + random_below(5); parts > 0; parts--) {
        const struct stream *part = test.streams[random_below(test.count)];
        size_t size = part->size;
        if (random_below(4) == 0)
            size = (size_t)random_below(1 + (int)size);
        if (size < 4000 || random_below(20) == 0)
            append(stream, part->bytes, size);
    }
    if (stream->size > 0 && random_below(2))
        stream->bytes[random_below((int)stream->size)] =
            (char)random_below(UCHAR_MAX + 1);
}

int main(int argc, char **argv) {
    static struct stream mixture;

    CHECK(argc > 3 && argc - 3 <= STREAMS_MAX);
    random_seed(argc, argv);
    for (; test.count < argc - 3; test.count++) {
        test.streams[test.count] = load(argv[3 + test.count]);
        split(test.streams[test.count]);
    }
    for (int round = atoi(argv[2]); round > 0; round--) {
        mix(&mixture);
        split(&mixture);
    }
    for (int status = 0; status < 600; status++)
        if (test.kinds[status] > 0)
            printf("%3d: %d times\n", status, test.kinds[status]);
    for (int i = 0; i < test.count; i++)
        free(test.streams[i]);
    return 0;
}
