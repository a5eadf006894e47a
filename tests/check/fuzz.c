/*
 * fuzz.c - for libFuzzer: whatever comes, the parser keeps to its own bytes.
 *
 * It is read in one piece and in small ones, and the answers must be the same;
 * how small they are depends on the last byte. Then it is read as a server's
 * answer.
 */
#include <stdint.h>

#include "requests.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t whole(void *size) { return *(size_t *)size; }

static size_t small(void *size) { return *(size_t *)size % 7 + 1; }

static void check_answer(const char *bytes, size_t size) {
    char *copy = malloc(size + (size == 0));
    struct http_body body;
    int status;

    CHECK(copy != NULL);
    memcpy(copy, bytes, size);
    long head = http_parse_answer(copy, size, &status, &body);
    CHECK(head >= -1 && head <= (long)size);
    if (head > 0)
        CHECK(head + (long)skip_in(&body, bytes + head, size - (size_t)head) <=
              (long)size);
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct answers wanted, answers;
    size_t pieces = size > 0 ? data[size - 1] : 0;
    const char *stream = (const char *)data;

    answer_all(&wanted, stream, size, whole, &(size_t){size + 1});
    answer_all(&answers, stream, size, small, &pieces);
    check_same(&wanted, &answers);
    check_answer(stream, size);
    return 0;
}
