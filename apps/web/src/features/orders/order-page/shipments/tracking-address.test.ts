import { expect, it } from 'vitest'
import { trackingAddress } from './tracking-address.ts'

it.each([
  ['DHL Paket', '0034 0434', 'https://www.dhl.com/global-en/home/tracking.html?tracking-id=00340434'],
  ['UPS', '1Z999', 'https://www.ups.com/track?tracknum=1Z999'],
  ['fedex ground', '12', 'https://www.fedex.com/fedextrack/?trknbr=12'],
  ['USPS', '94/00', 'https://tools.usps.com/go/TrackConfirmAction?tLabels=94%2F00'],
  ['Hermes', 'H1', 'https://www.myhermes.de/empfangen/sendungsverfolgung/?suche=H1'],
  ['GLS', 'G1', 'https://gls-group.com/track/G1'],
  ['DPD', 'D1', 'https://tracking.dpd.de/parcelstatus?query=D1'],
  ['Royal Mail', 'R1', 'https://www.royalmail.com/track-your-item#/tracking-results/R1'],
  ['Groups of bikes', '1', null],
  ['DHL', ' ', null],
  [null, '1', null],
])('the tracking page of %s for %s is %s', (carrier, number, address) => {
  expect(trackingAddress(carrier, number)).toBe(address)
})
