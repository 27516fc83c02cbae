/** Side length of the drawn print bed, in mm. It is the most common size of desktop printers. */
export const BED_SIZE_MM = 256
