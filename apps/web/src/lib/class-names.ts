/** Joins the class names that apply; what is false or absent drops out. */
export const cx = (...names: (string | false | null | undefined)[]): string => names.filter(Boolean).join(' ')
