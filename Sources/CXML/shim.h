// The door to libxml2's reader of events (SAX 2). Nothing else of the library is used: no tree, no addresses, no files.
#ifndef STORECTL_CXML_H
#define STORECTL_CXML_H

// A struct of it that is not used here holds two of ICU's, whose headers Foundation has in another version: who imports
// both would not compile.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/parser.h>
// Has the function that begins with a document in memory.
#include <libxml/parserInternals.h>

// A macro whose number does not fit the field's type as Swift imports it.
static inline void cxml_take_structured_errors(xmlSAXHandler *sax) { sax->initialized = XML_SAX2_MAGIC; }

#endif
