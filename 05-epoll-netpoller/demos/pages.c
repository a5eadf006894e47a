/* pages.c - see pages.h. */
#define _GNU_SOURCE
#include "pages.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "timer.h"

static struct product {
    const char *name;
    int seconds; /* in the oven */
    long served;
} products[] = {{"bread", 3, 0}, {"croissants", 2, 0}, {"cookies", 1, 0}};

enum { PRODUCTS = sizeof products / sizeof products[0] };

struct page {
    const char *path;
    void (*make)(const struct http_request *request, struct product *product,
                 struct http_response *response, char note[NOTE_MAX]);
    struct product *product;
};

struct tally tally;

static double scale;
static char menu[PAGE_MAX], menu_html[PAGE_MAX];

static void make_menu(const struct http_request *request,
                      struct product *unused, struct http_response *response,
                      char note[NOTE_MAX]) {
    (void)unused, (void)note;
    if (request->fields.html)
        response->type = "text/html; charset=utf-8";
    response->fields = "Vary: Accept\r\n";
    response->body = request->fields.html ? menu_html : menu;
}

static void make_stats(const struct http_request *request,
                       struct product *unused, struct http_response *response,
                       char note[NOTE_MAX]) {
    (void)request, (void)unused;
    int size =
        snprintf(note, NOTE_MAX, "%-12s %ld\n%-12s %ld\n%-12s %ld\n%-12s %ld\n",
                 "customers", tally.customers, "here now", tally.here,
                 "requests", tally.requests, "in the oven", tally.baking);
    for (int i = 0; i < PRODUCTS; i++)
        size += snprintf(note + size, NOTE_MAX - (size_t)size, "%-12s %ld\n",
                         products[i].name, products[i].served);
    response->fields = "Cache-Control: no-store\r\n";
    response->body = note;
}

/* Each order has an oven of its own. */
static void bake(const struct http_request *unused, struct product *product,
                 struct http_response *response, char note[NOTE_MAX]) {
    int64_t time = (int64_t)(product->seconds * scale * (double)SECOND);

    (void)unused;
    tally.baking++;
    int result = sleep_until(now() + time);
    tally.baking--;
    if (result == -1) {
        response->status = 503;
        return;
    }
    tally.orders++;
    product->served++;
    response->fields = "Cache-Control: no-store\r\n";
    response->body = note;
    stpcpy(stpcpy(note, product->name), ", fresh from the oven\n");
}

static const struct page pages[] = {
    {"/", make_menu, NULL},
    {"/stats", make_stats, NULL},
    {"/order/bread", bake, &products[0]},
    {"/order/croissants", bake, &products[1]},
    {"/order/cookies", bake, &products[2]},
};

enum { PAGES = sizeof pages / sizeof pages[0] };

const struct page *page_find(const struct http_request *request,
                             const char *bytes) {
    for (const struct page *page = pages; page < pages + PAGES; page++)
        if (http_path_is(request, bytes, page->path))
            return page;
    return NULL;
}

void page_make(const struct page *page, const struct http_request *request,
               struct http_response *response, char note[NOTE_MAX]) {
    page->make(request, page->product, response, note);
}

/* page.html, by way of the Makefile. */
extern const char page_html[];

/* The page for browsers, with the scale in the place of its name. */
static void write_html(void) {
    const char *place = strstr(page_html, "SCALE");

    snprintf(menu_html, PAGE_MAX, "%.*s%g%s", (int)(place - page_html),
             page_html, scale, place + strlen("SCALE"));
}

static void write_text(void) {
    int size = snprintf(menu, PAGE_MAX,
                        "The bakery. Every order has an oven of its own.\n\n");

    for (int i = 0; i < PRODUCTS; i++)
        size += snprintf(menu + size, PAGE_MAX - (size_t)size,
                         "  GET /order/%-12s %g s\n", products[i].name,
                         products[i].seconds * scale);
    snprintf(menu + size, PAGE_MAX - (size_t)size,
             "  GET %-19s what has been served\n", "/stats");
}

void pages_open(double factor) {
    scale = factor;
    write_html();
    write_text();
}
