/*
 * timers.c - what sleep_until() promises, and the order of turns.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "netpoll.h"
#include "scheduler.h"
#include "support.h"
#include "timer.h"

enum { SLEEPERS = 1000 };

static struct {
    int ends[2];
    int done;  /* tasks that reached their end */
    int turns; /* of the tasks that yield */
    bool stop;
    int64_t deadline;
    struct task *task;
    int woken[SLEEPERS]; /* in this order */
    int64_t deadlines[SLEEPERS];
    volatile sig_atomic_t alarms;
} test;

static void nothing_to_do(void) {
    int64_t begin = now();

    schedule();
    schedule();
    CHECK(now() - begin < SECOND);
}

/* Signs with its number at each turn. */
static void take_three_turns(void *arg) {
    for (int i = 0; i < 3; i++) {
        test.woken[test.turns++] = *(int *)arg;
        yield();
    }
    test.done++;
}

static void start_late(void *arg) {
    static int late = 9;

    take_three_turns(arg);
    start("late", take_three_turns, &late);
}

static void first_in_first_out(void) {
    static int ids[] = {1, 2, 3};
    static const int expected[] = {1, 2, 3, 1, 2, 3, 1, 2, 3, 9, 9, 9};

    start("1", start_late, &ids[0]);
    start("2", take_three_turns, &ids[1]);
    start("3", take_three_turns, &ids[2]);
    schedule();
    CHECK(test.done == 4);
    CHECK(memcmp(test.woken, expected, sizeof expected) == 0);
}

static struct task *parked[3];

static void park_once(void *arg) {
    struct task **place = arg;

    *place = self();
    park();
    test.woken[test.done++] = (int)(place - parked);
}

static void ready_in_order(void *unused) {
    static const int order[] = {2, 0, 2, 1, 0}; /* twice changes nothing */

    (void)unused;
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        ready(parked[order[i]]);
}

static void woken_first_runs_first(void) {
    for (int i = 0; i < 3; i++)
        start("parked", park_once, &parked[i]);
    start("waker", ready_in_order, NULL);
    schedule();
    CHECK(test.done == 3);
    CHECK(test.woken[0] == 2 && test.woken[1] == 0 && test.woken[2] == 1);
}

static void sleep_and_sign(void *arg) {
    int64_t *deadline = arg;

    CHECK(sleep_until(*deadline) == 0);
    CHECK(now() >= *deadline);
    test.woken[test.done++] = (int)(deadline - test.deadlines);
}

/* Whoever was set to an earlier deadline, or to the same one before, is first.
 */
static void check_order_of_waking(void) {
    CHECK(test.done == SLEEPERS);
    for (int i = 1; i < SLEEPERS; i++) {
        int before = test.woken[i - 1], after = test.woken[i];
        CHECK(test.deadlines[before] <= test.deadlines[after]);
        CHECK(test.deadlines[before] < test.deadlines[after] || before < after);
    }
}

static void equal_deadlines(void) {
    int64_t deadline = in_ms(100);

    for (int i = 0; i < SLEEPERS; i++) {
        test.deadlines[i] = deadline;
        start("sleeper", sleep_and_sign, &test.deadlines[i]);
    }
    schedule();
    check_order_of_waking();
}

/* Twenty deadlines in no order, and each of them fifty times. */
static void order_of_deadlines(void) {
    int64_t begin = in_ms(100);

    for (int i = 0; i < SLEEPERS; i++) {
        test.deadlines[i] = begin + i * 7919 % 20 * (SECOND / 200);
        start("sleeper", sleep_and_sign, &test.deadlines[i]);
    }
    schedule();
    check_order_of_waking();
}

/* Its deadline is taken back, from anywhere among the others. */
static void wait_in_vain(void *arg) {
    int fd = dup(test.ends[0]);

    CHECK(fd != -1);
    CHECK(wait_fd(fd, EPOLLIN, *(int64_t *)arg) == 0);
    close(fd);
}

static void poke_at_once(void *unused) {
    (void)unused;
    poke(test.ends[1]);
}

static void order_after_taking_back(void) {
    static int64_t others[300];
    int64_t begin = in_ms(300);

    make_pipe(test.ends);
    for (int i = 0; i < SLEEPERS; i++) {
        test.deadlines[i] = begin + i * 7919 % 1000 * (SECOND / 5000);
        if (i < 300) {
            others[i] = begin + i * 7907 % 1000 * (SECOND / 5000);
            start("waiter", wait_in_vain, &others[i]);
        }
        start("sleeper", sleep_and_sign, &test.deadlines[i]);
    }
    start("poker", poke_at_once, NULL);
    schedule();
    check_order_of_waking();
}

static void sleep_briefly(void *arg) {
    for (int i = 0; i < 40; i++) {
        int64_t deadline = now() + *(int *)arg * INT64_C(77777) * (i % 5) + i;
        CHECK(sleep_until(deadline) == 0);
        CHECK(now() >= deadline);
    }
    test.done++;
}

static void never_early(void) {
    static int ids[20];

    for (int i = 0; i < 20; i++) {
        ids[i] = i;
        start("sleeper", sleep_briefly, &ids[i]);
    }
    schedule();
    CHECK(test.done == 20);
}

static void keep_yielding(void *unused) {
    (void)unused;
    for (; !test.stop; test.turns++)
        yield();
    test.done++;
}

static void sleep_in_the_past(void *unused) {
    const int64_t past[] = {0, -1, 1, INT64_MIN, INT64_MIN + 1, now()};

    (void)unused;
    for (size_t i = 0; i < sizeof past / sizeof past[0]; i++) {
        int before = test.turns;
        CHECK(sleep_until(past[i]) == 0);
        CHECK(test.turns == before + 1); /* one turn of the others, no more */
    }
    test.stop = true;
    test.done++;
}

static void past_gives_up_the_turn(void) {
    start("sleeper", sleep_in_the_past, NULL);
    start("other", keep_yielding, NULL);
    schedule();
    CHECK(test.done == 2);
}

static void sleep_very_long(void *unused) {
    (void)unused;
    sleep_until(NEVER - 1);
    CHECK(false); /* it woke up */
}

static void wait_very_long(void *unused) {
    (void)unused;
    (void)wait_fd(test.ends[0], EPOLLIN, NEVER - 1);
    CHECK(false); /* it woke up */
}

static void end_program(void *unused) {
    (void)unused;
    for (int i = 0; i < 5; i++)
        CHECK(sleep_until(in_ms(20)) == 0);
    CHECK(libc_calls.poll + libc_calls.epoll_wait < 60); /* nobody spins */
    puts("long is long");
    exit(EXIT_SUCCESS);
}

static void long_is_long(void) {
    make_pipe(test.ends);
    start("sleeper", sleep_very_long, NULL);
    start("waiter", wait_very_long, NULL);
    start("end", end_program, NULL);
    schedule();
    CHECK(false); /* schedule() came back */
}

static int64_t cpu_time(void) {
    struct timespec time;

    CHECK(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0);
    return time.tv_sec * SECOND + time.tv_nsec;
}

static void sleep_until_deadline(void *unused) {
    (void)unused;
    CHECK(sleep_until(test.deadline) == 0);
    CHECK(now() >= test.deadline);
    test.done++;
}

/* Less than a millisecond, which is as fine as epoll_wait() can wait. */
static void sleep_little(void *unused) {
    int before = libc_calls.poll + libc_calls.epoll_wait;

    (void)unused;
    for (int i = 0; i < 300; i++)
        CHECK(sleep_until(now() + SECOND / 1100) == 0);
    int calls = libc_calls.poll + libc_calls.epoll_wait - before;
    CHECK(calls >= 30 && calls <= 600); /* it slept, and about once for each */
}

static void sleeping_is_free(void) {
    int64_t before = cpu_time();

    test.deadline = in_ms(500);
    start("sleeper", sleep_until_deadline, NULL);
    schedule();
    CHECK(test.done == 1);
    CHECK(cpu_time() - before < SECOND / 8);
    CHECK(libc_calls.poll + libc_calls.epoll_wait <= 5);
    CHECK(libc_calls.epoll_ctl == 0);
    start("sleeper", sleep_little, NULL);
    schedule();
}

static void wait_until_deadline(void *unused) {
    (void)unused;
    CHECK(wait_fd(test.ends[0], EPOLLIN, test.deadline) == -1);
    CHECK(errno == ETIMEDOUT);
    CHECK(now() >= test.deadline);
    test.done++;
}

static void on_alarm(int signal) {
    (void)signal;
    test.alarms++;
}

static void alarm_every_millisecond(void) {
    struct sigaction action = {.sa_handler = on_alarm}; /* no SA_RESTART */
    struct itimerval interval = {{0, 1000}, {0, 1000}};

    CHECK(sigaction(SIGALRM, &action, NULL) == 0);
    CHECK(setitimer(ITIMER_REAL, &interval, NULL) == 0);
}

static void signals(void) {
    alarm_every_millisecond();
    test.deadline = in_ms(200);
    start("sleeper", sleep_until_deadline, NULL);
    schedule(); /* first without a descriptor, and then with one */
    CHECK(test.done == 1);

    make_pipe(test.ends);
    test.deadline = in_ms(200);
    start("waiter", wait_until_deadline, NULL);
    start("sleeper", sleep_until_deadline, NULL);
    schedule();
    CHECK(test.done == 3);
    CHECK(test.alarms > 5);
}

static void remember_and_sleep(void *unused) {
    test.task = self();
    sleep_until_deadline(unused);
    test.stop = true;
}

static void remember_and_wait(void *unused) {
    test.task = self();
    wait_until_deadline(unused);
    test.stop = true;
}

static void keep_waking(void *unused) {
    (void)unused;
    while (!test.stop) {
        ready(test.task);
        yield();
    }
    test.done++;
}

static void foreign_ready(void) {
    make_pipe(test.ends);
    test.deadline = in_ms(100);
    start("sleeper", remember_and_sleep, NULL);
    start("waker", keep_waking, NULL);
    schedule();
    test.stop = false;
    test.deadline = in_ms(100);
    start("waiter", remember_and_wait, NULL);
    start("waker", keep_waking, NULL);
    schedule();
    CHECK(test.done == 4);
}

static void end_asleep(int signal) {
    int calls = libc_calls.poll + libc_calls.epoll_wait;

    (void)signal;
    _exit(calls >= 1 && calls < 5 ? 0 : 1);
}

static void sleep_for_a_month(void *unused) {
    (void)unused;
    sleep_until(in_ms((INT64_C(1) << 31) + 1000)); /* more than an int has */
    CHECK(false);
}

static void long_and_alone(void) {
    struct itimerval once = {.it_value.tv_usec = 300000};

    CHECK(signal(SIGALRM, end_asleep) != SIG_ERR);
    CHECK(setitimer(ITIMER_REAL, &once, NULL) == 0);
    start("sleeper", sleep_for_a_month, NULL);
    schedule();
    CHECK(false);
}

/* In which of the storm's rounds the sleeper and the reader woke up. */
static struct { int passed, slept, poked, read; } rounds;

static void sleep_in_storm(void *unused) {
    sleep_until_deadline(unused);
    rounds.slept = test.turns;
}

static void read_in_storm(void *unused) {
    (void)unused;
    CHECK(wait_fd(test.ends[0], EPOLLIN, NEVER) == 0);
    rounds.read = test.turns;
    test.done++;
}

static void be_the_storm(void *unused) {
    (void)unused;
    for (; test.done < 2; test.turns++) {
        if (rounds.passed == 0 && now() >= test.deadline)
            rounds.passed = test.turns;
        if (test.turns == 1000) {
            poke(test.ends[1]);
            rounds.poked = test.turns;
        }
        yield();
    }
}

static void be_a_drop(void *unused) {
    (void)unused;
    while (test.done < 2)
        yield();
}

static void storm(void) {
    make_pipe(test.ends);
    test.deadline = in_ms(20);
    start("sleeper", sleep_in_storm, NULL);
    start("reader", read_in_storm, NULL);
    start("storm", be_the_storm, NULL);
    for (int i = 0; i < 10; i++)
        start("drop", be_a_drop, NULL);
    schedule();
    CHECK(rounds.passed > 0 && rounds.slept <= rounds.passed + 2);
    CHECK(rounds.poked > 0 && rounds.read <= rounds.poked + 2);
}

static void sleep_staggered(void *arg) {
    int64_t deadline = test.deadline + (intptr_t)arg % 100 * (SECOND / 1000);

    CHECK(sleep_until(deadline) == 0);
    CHECK(now() >= deadline);
    test.done++;
}

static void ten_thousand_sleepers(void) {
    int descriptors = open_descriptors();

    test.deadline = in_ms(200);
    for (intptr_t i = 0; i < 10000; i++)
        start("sleeper", sleep_staggered, (void *)i);
    schedule();
    CHECK(test.done == 10000);
    CHECK(open_descriptors() == descriptors);
}

static void report_memory(void *arg) {
    long before = (intptr_t)arg;

    CHECK(sleep_until(test.deadline) == 0);
    printf("%ld bytes a sleeper\n",
           (status_line("VmRSS") - before) * 1024 / 10000);
    CHECK((status_line("VmRSS") - before) * 1024 / 10000 < 16 * 1024);
}

static void memory_of_a_sleeper(void) {
    static long before;

    before = status_line("VmRSS");
    test.deadline = in_ms(500);
    for (intptr_t i = 0; i < 10000; i++)
        start("sleeper", sleep_staggered, (void *)(i * 100 + 99));
    start("memory", report_memory, (void *)before);
    schedule();
    CHECK(test.done == 10000);
}

static void park_for_good(void *unused) {
    (void)unused;
    park();
}

static void sleep_for_good(void *unused) {
    (void)unused;
    sleep_until(NEVER);
}

static void deadlock_never(void) {
    start("oven", sleep_for_good, NULL);
    schedule();
}

/* A timer and then a descriptor are pending; neither is, at last. */
static void wake_up_last(void *unused) {
    (void)unused;
    CHECK(sleep_until(in_ms(20)) == 0);
    CHECK(wait_fd(test.ends[0], EPOLLIN, in_ms(20)) == -1);
    CHECK(errno == ETIMEDOUT);
    poke(test.ends[1]);
    CHECK(wait_fd(test.ends[0], EPOLLIN, NEVER) == 0);
    puts("nothing pending now");
    park();
}

static void deadlock_last(void) {
    make_pipe(test.ends);
    start("oven", park_for_good, NULL);
    start("cashier", wake_up_last, NULL);
    schedule();
}

static void deadlock_ten(void) {
    static const char *const names[] = {"a", "b", "c", "d", "e",
                                        "f", "g", "h", "i", "j"};

    for (int i = 0; i < 10; i++)
        start(names[i], i % 2 ? park_for_good : sleep_for_good, NULL);
    schedule();
}

static void ready_parked(void *unused) {
    (void)unused;
    CHECK(sleep_until(in_ms(30)) == 0);
    ready(test.task);
    test.done++;
}

static void park_until_told(void *unused) {
    (void)unused;
    test.task = self();
    park();
    test.done++;
}

static void no_false_deadlock(void) {
    start("parked", park_until_told, NULL);
    start("sleeper", ready_parked, NULL);
    schedule();
    CHECK(test.done == 2);
}

int main(int argc, char **argv) {
    static const struct test_case cases[] = {
        {"nothing-to-do", nothing_to_do},
        {"first-in-first-out", first_in_first_out},
        {"woken-first-runs-first", woken_first_runs_first},
        {"equal-deadlines", equal_deadlines},
        {"order-of-deadlines", order_of_deadlines},
        {"order-after-taking-back", order_after_taking_back},
        {"never-early", never_early},
        {"past-gives-up-the-turn", past_gives_up_the_turn},
        {"long-is-long", long_is_long},
        {"long-and-alone", long_and_alone},
        {"sleeping-is-free", sleeping_is_free},
        {"signals", signals},
        {"foreign-ready", foreign_ready},
        {"storm", storm},
        {"ten-thousand-sleepers", ten_thousand_sleepers},
        {"memory-of-a-sleeper", memory_of_a_sleeper},
        {"deadlock-never", deadlock_never},
        {"deadlock-last", deadlock_last},
        {"deadlock-ten", deadlock_ten},
        {"no-false-deadlock", no_false_deadlock},
        {0},
    };
    return run_case(cases, argc, argv);
}
