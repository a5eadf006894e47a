/*
 * solution.c - two trees walked side by side, without a list of either.
 *
 * A walk is plain recursion. Where it stands in its tree is in its frames, one
 * for each box around the pastry, and they wait on the walker's own stack. All
 * three tasks have one turn per tick, in the order of their go(): left, right,
 * compare. So in tick n both walkers stand at pastry n when compare looks.
 */
#include <ctype.h>
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "scheduler.h"

struct tree {
    char pastry; /* a letter; 0 for a box, which holds two trees */
    const struct tree *left, *right;
};

enum { END = '-' };

struct walker {
    const char *name;
    const struct tree *tree;
    char pastry; /* where it stands; END when it has been everywhere */
};

static struct {
    struct walker left, right;
    bool over; /* both walkers may go home */
} order = {.left.name = "left", .right.name = "right"};

/* Reads the tree that *text begins with, and moves *text behind it. */
static const struct tree *parse(const char **text) {
    struct tree *tree = calloc(1, sizeof *tree);

    if (tree == NULL)
        err(EXIT_FAILURE, "calloc");
    if (isalpha((unsigned char)**text)) {
        tree->pastry = *(*text)++;
        return tree;
    }
    if (*(*text)++ != '(')
        errx(2, "TREE: a letter, or two trees in brackets: '((ab)c)'");
    tree->left = parse(text);
    tree->right = parse(text);
    if (*(*text)++ != ')')
        errx(2, "TREE: a box holds two trees and ends with ')'");
    return tree;
}

static const struct tree *parse_all(const char *text) {
    const struct tree *tree = parse(&text);

    if (*text != '\0')
        errx(2, "TREE: there is more behind its end: '%s'", text);
    return tree;
}

static void visit(struct walker *walker, const struct tree *tree) {
    if (order.over) /* each box on the way back comes by here as well */
        return;
    if (tree->pastry == 0) {
        visit(walker, tree->left);
        visit(walker, tree->right);
        return;
    }
    walker->pastry = tree->pastry;
    printf("%-5s | %c\n", walker->name, walker->pastry);
    yield(); /* from the middle of the recursion */
}

static void walk(void *arg) {
    struct walker *walker = arg;

    visit(walker, walker->tree);
    walker->pastry = END;
}

/* Comes last in each tick, when both walkers have moved on by one. */
static void compare(void *unused) {
    const struct walker *left = &order.left, *right = &order.right;

    (void)unused;
    while (left->pastry == right->pastry && left->pastry != END)
        yield();
    order.over = true;
    if (left->pastry == right->pastry)
        printf("summary | pastries 1 to %d are the same\n", tick() - 1);
    else
        printf("summary | pastry %d differs: %c and %c\n", tick(), left->pastry,
               right->pastry);
}

int main(int argc, char **argv) {
    if (argc != 3)
        errx(2, "usage: answer TREE TREE, as in '((ab)c)' '(a(bc))'");
    order.left.tree = parse_all(argv[1]);
    order.right.tree = parse_all(argv[2]);
    if (go("left", walk, &order.left) == -1 ||
        go("right", walk, &order.right) == -1 ||
        go("compare", compare, NULL) == -1)
        err(EXIT_FAILURE, "go");
    schedule();
    return EXIT_SUCCESS;
}
