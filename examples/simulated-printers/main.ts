import { readFileSync } from 'node:fs'
import { type PrinterSettings, type Protocol, startSimulatedPrinters } from './simulated-printers.ts'

const { env } = process

/** Printers in the form `name=protocol:port`, separated by commas. */
const DEFAULT_PRINTERS = 'voron=moonraker:7125,ender=octoprint:5000,prusa=prusalink:8017'

/** Returns the certificate and key that all Bambu printers share. */
function certificateOf(): { cert: string; key: string } | undefined {
  const [cert, key] = [env['PRINTERS_TLS_CERT'], env['PRINTERS_TLS_KEY']]
  return cert && key ? { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') } : undefined
}

function printersOf(text: string, apiKey: string): PrinterSettings[] {
  const certificate = certificateOf()
  return text.split(',').map((part) => {
    const [, name, protocol, port] =
      /^\s*([\w-]+)=(moonraker|octoprint|prusalink|bambu):(\d+)\s*$/.exec(part) ?? []
    if (name === undefined) throw new Error(`A printer must be written as name=protocol:port, not as ${part}`)
    return {
      name,
      protocol: protocol as Protocol,
      port: Number(port),
      apiKey,
      ...(certificate && { certificate }),
    }
  })
}

const simulated = await startSimulatedPrinters({
  host: env['PRINTERS_HOST'] ?? '127.0.0.1',
  printers: printersOf(env['PRINTERS'] ?? DEFAULT_PRINTERS, env['PRINTERS_KEY'] ?? 'simulated-key'),
  speed: Number(env['PRINTERS_SPEED'] ?? '600'),
  adminPort: Number(env['PRINTERS_ADMIN_PORT'] ?? '7100'),
})
for (const { name, protocol, url } of simulated.printers) console.log(`${name} speaks ${protocol} at ${url}`)
console.log(`Make them fail at ${simulated.adminUrl}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulated.close())
