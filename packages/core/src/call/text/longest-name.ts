/** In characters. Names stand in every list and every record, and are read in every spelling a rule could mean; an address of a resource is one, too. */
export const longestName = 8_192
