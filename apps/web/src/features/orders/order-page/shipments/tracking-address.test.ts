import { expect, it } from 'vitest'
import { trackingAddress } from './tracking-address.ts'

it.each([
  [
    'DHL Paket',
    '0034 0434 1616 0001 2345',
    'https://www.dhl.com/global-en/home/tracking.html?tracking-id=00340434161600012345',
  ],
  ['UPS', '1Z999AA10123456784', 'https://www.ups.com/track?tracknum=1Z999AA10123456784'],
  ['fedex ground', '123456789012', 'https://www.fedex.com/fedextrack/?trknbr=123456789012'],
  [
    'USPS',
    '9400 1000 0000 0000 0000 00',
    'https://tools.usps.com/go/TrackConfirmAction?tLabels=9400100000000000000000',
  ],
  ['Hermes', '12345678901234', 'https://www.myhermes.de/empfangen/sendungsverfolgung/?suche=12345678901234'],
  ['GLS', '12345678901', 'https://gls-group.com/track/12345678901'],
  ['DPD', '01234567890123', 'https://tracking.dpd.de/parcelstatus?query=01234567890123'],
  [
    'Royal Mail',
    'AB123456789GB',
    'https://www.royalmail.com/track-your-item#/tracking-results/AB123456789GB',
  ],
  ['UPS Mail Innovations', '92748901234567890123456789', null],
  ['UPS', '92748901234567890123456789', null],
  ['Hermes UK', '12345678901234', null],
  ['Hermes', 'H01HYA0012345678', null],
  ['DPD UK', '01234567890123', null],
  ['DPD', '15501234567890', null],
  ['USPS', '94/00', null],
  ['Groups of bikes', '1', null],
  ['DHL', ' ', null],
  [null, '1', null],
])('the tracking page of %s for %s is %s', (carrier, number, address) => {
  expect(trackingAddress(carrier, number)).toBe(address)
})
