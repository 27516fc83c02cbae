/** The parts of a Bambu printer's address. */
export interface BambuAddress {
  host: string
  mqttPort: number
  ftpsPort: number
  /** Null if the printer's certificate contains the serial number. */
  serial: string | null
}

const MQTT_PORT = 8883
const FTPS_PORT = 990
const ADDRESS =
  /^(?:\[([0-9a-f:.]+)\]|([a-z0-9](?:[a-z0-9._-]*[a-z0-9])?))(?::(\d{1,5}),(\d{1,5}))?(?:\/([A-Z0-9]{8,32}))?$/i

const isPort = (port: number): boolean => port >= 1 && port <= 65_535

/**
 * Parses the address of a Bambu printer. Examples: `192.168.1.20`; with the serial number,
 * `192.168.1.20/01S00C123456789`; with ports other than 8883 and 990, `printer.lan:18883,10990`. Returns null
 * for anything else.
 */
export function parseBambuAddress(text: string): BambuAddress | null {
  const [, ipv6, name, mqtt, ftps, serial] = ADDRESS.exec(text) ?? []
  const host = ipv6 ?? name
  const ports = [Number(mqtt ?? MQTT_PORT), Number(ftps ?? FTPS_PORT)] as const
  if (host === undefined || !ports.every(isPort)) return null
  return {
    host: host.toLowerCase(),
    mqttPort: ports[0],
    ftpsPort: ports[1],
    serial: serial?.toUpperCase() ?? null,
  }
}
