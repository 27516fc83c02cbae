/** Countries that print on letter paper. */
const LETTER_REGIONS = ['US', 'CA', 'MX', 'CL', 'CO', 'PH']

/** Returns the usual paper in the browser's region. */
export const usualPaper = (): 'a4' | 'letter' =>
  LETTER_REGIONS.includes(new Intl.Locale(navigator.language).region ?? '') ? 'letter' : 'a4'
