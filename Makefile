# The whole course; make help lists what there is. Each chapter also has a
# Makefile of its own.

CHAPTERS = $(patsubst %/,%,$(sort $(wildcard 0[1-6]-*/)))

all: $(CHAPTERS)

# Without a word about what is up to date.
$(CHAPTERS):
	@$(MAKE) -q -C $@ 2>/dev/null || $(MAKE) --no-print-directory -C $@

run: $(if $(N),$(filter 0$(N)-%,$(CHAPTERS)),all)
	@.make/run $(N)

test:
	@.make/test $(N)

check:
	@.make/check

diff:
	@.make/diff $(N)

exercise hint solution progress reset:
	@.make/$@ "$(N)" "$(E)"

picture trace: $(filter 0$(N)-%,$(CHAPTERS))
	@.make/picture $@ $(N)

bench:
	@.make/bench

doctor:
	@.make/doctor

clean:
	@for chapter in $(CHAPTERS); do $(MAKE) -s -C $$chapter clean; done

help:
	@.make/help

.PHONY: all run test check diff exercise hint solution progress reset \
        picture trace bench doctor clean help $(CHAPTERS)
