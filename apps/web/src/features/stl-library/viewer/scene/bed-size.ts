/** Side of the bed that is drawn under a part: the common size of desktop printers. */
export const BED_SIZE_MM = 256
