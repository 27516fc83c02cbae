interface Carrier {
  /** Matches the whole name. Companies and countries with other tracking pages, such as UPS Mail Innovations, do not match. */
  name: RegExp
  /** Matches the numbers of this carrier alone. */
  number: RegExp
  /** The public tracking page. The number is added at the end. */
  page: string
}

/** Well-known carriers. A number of another form gets no link, because it may belong to another carrier or country. */
const CARRIERS: readonly Carrier[] = [
  {
    name: /^(deutsche post )?dhl( (express|paket|parcel|global mail))?( (de|germany|deutschland))?$/i,
    number: /^(\d{10}|\d{12}|\d{20}|JJ?D\d{10,20}|[A-Z]{2}\d{9}DE)$/i,
    page: 'https://www.dhl.com/global-en/home/tracking.html?tracking-id=',
  },
  {
    name: /^ups( (standard|ground|express|expedited|saver|next day air|2nd day air))?$/i,
    number: /^1Z[0-9A-Z]{16}$/i,
    page: 'https://www.ups.com/track?tracknum=',
  },
  {
    name: /^fedex( (ground|express|home delivery|2day|priority|economy|international.*))?$/i,
    number: /^(\d{12}|\d{15}|\d{20}|\d{22})$/,
    page: 'https://www.fedex.com/fedextrack/?trknbr=',
  },
  {
    name: /^usps( .*)?$/i,
    number: /^(9\d{19}|9\d{21}|9\d{25}|420\d{5}(\d{4})?9\d{21}|[A-Z]{2}\d{9}US)$/i,
    page: 'https://tools.usps.com/go/TrackConfirmAction?tLabels=',
  },
  {
    name: /^(my)?hermes( (de|germany|deutschland|paket))?$/i,
    number: /^(\d{14}|H\d{19})$/i,
    page: 'https://www.myhermes.de/empfangen/sendungsverfolgung/?suche=',
  },
  {
    name: /^gls( (de|germany|deutschland|paket|parcel))?$/i,
    number: /^(\d{11,12}|[0-9A-Z]{8})$/i,
    page: 'https://gls-group.com/track/',
  },
  {
    // The parcel numbers of German depots begin with 0.
    name: /^dpd( (de|germany|deutschland|classic))?$/i,
    number: /^0\d{13}$/,
    page: 'https://tracking.dpd.de/parcelstatus?query=',
  },
  {
    name: /^royal\s?mail( .*)?$/i,
    number: /^([A-Z]{2}\d{9}GB|[0-9A-Z]{16}|[0-9A-F]{21})$/i,
    page: 'https://www.royalmail.com/track-your-item#/tracking-results/',
  },
]

/**
 * Returns the address of the carrier's page for a parcel. Returns null for an unknown carrier, and for a number that may
 * belong to another one.
 */
export function trackingAddress(carrier: string | null, number: string | null): string | null {
  const code = number?.replaceAll(/\s/g, '')
  const name = carrier?.trim().replaceAll(/\s+/g, ' ')
  if (!name || !code) return null
  const known = CARRIERS.find((each) => each.name.test(name) && each.number.test(code))
  return known ? known.page + encodeURIComponent(code) : null
}
