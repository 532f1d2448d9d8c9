// The functions of libxml2's event-based parser (SAX 2). Nothing else of the library is used: no document tree, no
// access to URLs or files.
#ifndef STORECTL_CXML_H
#define STORECTL_CXML_H

// A struct of libxml2 that is not used here contains two structs of ICU. Foundation has another version of ICU's
// headers, so that a module that imports both would not compile.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/parser.h>
// Declares the function that creates a parser for a document in memory.
#include <libxml/parserInternals.h>

// Makes the parser call the handler for structured errors. XML_SAX2_MAGIC does not fit the field's type as Swift
// imports it.
static inline void cxml_take_structured_errors(xmlSAXHandler *sax) { sax->initialized = XML_SAX2_MAGIC; }

#endif
