/* pages.h - what the bakery has to offer: the menu, the orders, the figures. */
#ifndef PAGES_H
#define PAGES_H

#include "http.h"
#include "http_answer.h"

/* In bytes: the menu, and an answer that is made for one customer. */
enum { PAGE_MAX = HTTP_ANSWER_MAX - HTTP_OVERHEAD, NOTE_MAX = 512 };

/* One thing that can be asked for. */
struct page;

/* What /stats tells. The server counts customers and requests. */
extern struct tally { long customers, here, requests, baking, orders; } tally;

/* Comes first: writes the menu. An oven second takes `scale` seconds. */
void pages_open(double scale);

/* The page that the request, whose bytes these are, is for; or NULL. */
const struct page *page_find(const struct http_request *request,
                             const char *bytes);

/*
 * Fills in the answer. An order takes its time in the oven. The body may be in
 * `note`, so it must be there as long as the response.
 */
void page_make(const struct page *page, const struct http_request *request,
               struct http_response *response, char note[NOTE_MAX]);

#endif
