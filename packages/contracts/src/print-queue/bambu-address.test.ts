import { describe, expect, it } from 'vitest'
import { parseBambuAddress } from './bambu-address.ts'

describe('parsing the address of a Bambu printer', () => {
  it.each([
    ['192.168.1.20', ['192.168.1.20', 8883, 990, null]],
    ['192.168.1.20/01s00c123456789', ['192.168.1.20', 8883, 990, '01S00C123456789']],
    ['Printer.lan:18883,10990', ['printer.lan', 18_883, 10_990, null]],
    ['[fd00::5]:18883,10990/01S00C123456789', ['fd00::5', 18_883, 10_990, '01S00C123456789']],
  ] as const)(
    'the Bambu address %s is parsed into host, ports and serial number',
    (text, [host, mqttPort, ftpsPort, serial]) =>
      expect(parseBambuAddress(text)).toEqual({ host, mqttPort, ftpsPort, serial }),
  )

  it.each([
    '',
    ' 192.168.1.20',
    'https://192.168.1.20',
    '192.168.1.20:8883',
    '192.168.1.20:0,990',
    '192.168.1.20:8883,70000',
    '192.168.1.20/short',
    '192.168.1.20/01S00C123456789/x',
    'user@192.168.1.20',
    '-printer',
    'fd00::5',
    '192.168.1.20\r\nDELE x',
  ])('%j is not an address of a Bambu printer', (text) => expect(parseBambuAddress(text)).toBeNull())
})
