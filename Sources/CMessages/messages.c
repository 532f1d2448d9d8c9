#include "messages.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char ar[] = {
#embed "../Messages/Translations/ar.po"
};

const unsigned char *cmessages_ar(void) { return ar; }
ptrdiff_t cmessages_ar_size(void) { return sizeof ar; }

static const unsigned char ca[] = {
#embed "../Messages/Translations/ca.po"
};

const unsigned char *cmessages_ca(void) { return ca; }
ptrdiff_t cmessages_ca_size(void) { return sizeof ca; }

static const unsigned char de[] = {
#embed "../Messages/Translations/de.po"
};

const unsigned char *cmessages_de(void) { return de; }
ptrdiff_t cmessages_de_size(void) { return sizeof de; }

static const unsigned char es[] = {
#embed "../Messages/Translations/es.po"
};

const unsigned char *cmessages_es(void) { return es; }
ptrdiff_t cmessages_es_size(void) { return sizeof es; }

static const unsigned char fr[] = {
#embed "../Messages/Translations/fr.po"
};

const unsigned char *cmessages_fr(void) { return fr; }
ptrdiff_t cmessages_fr_size(void) { return sizeof fr; }
