/** A simulated printer of the demo, with the data that the server gets. */
export interface DemoNetworkPrinter {
  name: string
  /** The printer's name in the simulation. */
  key: string
  protocol: 'moonraker' | 'octoprint' | 'prusalink'
  /** The name of the printer model that slicers use. */
  model: string
  bedMm: [number, number, number]
  averageWatts: number
  hourlyRate: number
  port: number
}

export const DEMO_PRINTER_KEY = 'demo-printer-key'
/** The speed of the simulation as a multiple of real time: faster than a real printer, but slow enough to watch. */
export const DEMO_PRINTER_SPEED = 60

const voron = { protocol: 'moonraker', model: 'Voron 2.4', bedMm: [300, 300, 280] } as const
const prusa = { protocol: 'prusalink', model: 'MK4S', bedMm: [250, 210, 220] } as const
const ender = { protocol: 'octoprint', model: 'Ender-3 S1', bedMm: [220, 220, 270] } as const

const printer = (
  kind: typeof voron | typeof prusa | typeof ender,
  rest: Pick<DemoNetworkPrinter, 'name' | 'key' | 'port' | 'averageWatts' | 'hourlyRate'>,
): DemoNetworkPrinter => ({ ...kind, bedMm: [...kind.bedMm], ...rest })

export const DEMO_NETWORK_PRINTERS: readonly DemoNetworkPrinter[] = [
  printer(voron, { name: 'Voron 2.4 · 02', key: 'voron-02', port: 7141, averageWatts: 190, hourlyRate: 0.9 }),
  printer(voron, { name: 'Voron 2.4 · 03', key: 'voron-03', port: 7142, averageWatts: 190, hourlyRate: 0.9 }),
  printer(prusa, {
    name: 'Prusa MK4S · 03',
    key: 'prusa-03',
    port: 7143,
    averageWatts: 110,
    hourlyRate: 0.8,
  }),
  printer(prusa, {
    name: 'Prusa MK4S · 04',
    key: 'prusa-04',
    port: 7144,
    averageWatts: 110,
    hourlyRate: 0.8,
  }),
  printer(ender, {
    name: 'Ender-3 S1 · 01',
    key: 'ender-01',
    port: 7145,
    averageWatts: 120,
    hourlyRate: 0.4,
  }),
  printer(ender, {
    name: 'Ender-3 S1 · 02',
    key: 'ender-02',
    port: 7146,
    averageWatts: 120,
    hourlyRate: 0.4,
  }),
]
