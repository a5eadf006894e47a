/*
 * start.c - two trees, each walked to its end before anybody compares.
 *
 * The walkers should stop at each pastry, so that they stay side by side, and
 * the comparison should have a task of its own.
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
    if (tree->pastry == 0) {
        visit(walker, tree->left);
        visit(walker, tree->right);
        return;
    }
    walker->pastry = tree->pastry;
    printf("%-5s | %c\n", walker->name, walker->pastry);
}

static void walk(void *arg) {
    struct walker *walker = arg;

    visit(walker, walker->tree);
    walker->pastry = END;
}

int main(int argc, char **argv) {
    if (argc != 3)
        errx(2, "usage: answer TREE TREE, as in '((ab)c)' '(a(bc))'");
    order.left.tree = parse_all(argv[1]);
    order.right.tree = parse_all(argv[2]);
    if (go("left", walk, &order.left) == -1 ||
        go("right", walk, &order.right) == -1)
        err(EXIT_FAILURE, "go");
    schedule();
    printf("summary | not compared\n");
    return EXIT_SUCCESS;
}
