/** The public tracking pages of well-known carriers. The number is added at the end. */
const CARRIERS: readonly { name: RegExp; page: string }[] = [
  { name: /\bdhl\b/i, page: 'https://www.dhl.com/global-en/home/tracking.html?tracking-id=' },
  { name: /\bups\b/i, page: 'https://www.ups.com/track?tracknum=' },
  { name: /\bfedex\b/i, page: 'https://www.fedex.com/fedextrack/?trknbr=' },
  { name: /\busps\b/i, page: 'https://tools.usps.com/go/TrackConfirmAction?tLabels=' },
  { name: /\b(hermes|myhermes)\b/i, page: 'https://www.myhermes.de/empfangen/sendungsverfolgung/?suche=' },
  { name: /\bgls\b/i, page: 'https://gls-group.com/track/' },
  { name: /\bdpd\b/i, page: 'https://tracking.dpd.de/parcelstatus?query=' },
  { name: /\broyal\s?mail\b/i, page: 'https://www.royalmail.com/track-your-item#/tracking-results/' },
]

/** Returns the address of the carrier's page for a parcel. Returns null for an unknown carrier or without a number. */
export function trackingAddress(carrier: string | null, number: string | null): string | null {
  const code = number?.replaceAll(/\s/g, '')
  if (!carrier || !code) return null
  const known = CARRIERS.find(({ name }) => name.test(carrier))
  return known ? known.page + encodeURIComponent(code) : null
}
