import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { misbehaveOn, refusalOf } from './faults.ts'
import { type NetworkPrinter, takeRequest } from './network-printer.ts'
import { Refused } from './printer.ts'

/**
 * Serves files over FTPS with implicit TLS (RFC 959, RFC 4217). It supports only the commands to upload a file and to
 * remove it.
 */
export function serveFtp(
  control: TLSSocket,
  printer: NetworkPrinter,
  own: { user: string; password: string; certificate: { cert: string; key: string } },
): void {
  const { machine } = printer
  let user = ''
  let data: Promise<Buffer> | null = null

  /** Opens a port for one file. Returns the port. */
  const openPort = async (): Promise<number> => {
    const received = Promise.withResolvers<Buffer>()
    received.promise.catch(() => undefined)
    const server = createServer(own.certificate, (socket) => {
      server.close()
      socket.on('error', received.reject)
      readAll(socket).then(received.resolve, received.reject)
    })
    server.on('tlsClientError', received.reject)
    control.once('close', () => server.close())
    await once(server.listen({ host: control.localAddress ?? '127.0.0.1', port: 0 }), 'listening')
    data = received.promise
    return (server.address() as AddressInfo).port
  }

  const store = async (name: string): Promise<string> => {
    if (!data) return '425 Use EPSV first'
    control.write('150 Ok to send data\r\n')
    const bytes = await data.catch(() => null)
    data = null
    if (!bytes) return '426 Failure reading network stream'
    machine.upload(name, bytes)
    return '226 Transfer complete'
  }

  const remove = (name: string): string => {
    try {
      machine.remove(name)
      return '250 Delete operation successful'
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return `550 ${error.message}`
    }
  }

  const answer = (command: string, argument: string): Promise<string> | string => {
    switch (command) {
      case 'USER':
        user = argument
        return '331 Please specify the password'
      case 'PASS':
        return user === own.user && argument === own.password ? '230 Login successful' : '530 Login incorrect'
      case 'PBSZ':
      case 'PROT':
      case 'TYPE':
        return '200 Ok'
      case 'EPSV':
        return openPort().then((port) => `229 Entering Extended Passive Mode (|||${port}|)`)
      case 'PASV':
        return openPort().then((port) => passive(control.localAddress ?? '127.0.0.1', port))
      case 'SIZE': {
        const file = machine.files.get(argument)
        return file ? `213 ${file.sizeBytes}` : '550 Could not get file size'
      }
      case 'STOR':
        return store(argument)
      case 'DELE':
        return remove(argument)
      default:
        return '502 Command not implemented'
    }
  }

  /** Directs the client to a data port on another machine, for the fault `redirect`. */
  const redirect = async (name: string, argument: string, to: string): Promise<string> => {
    if (name === 'EPSV') return '500 Unknown command'
    return name === 'PASV' ? passive(to, await openPort()) : answer(name, argument)
  }

  const serve = async (line: string): Promise<void> => {
    const [command = '', ...rest] = line.split(' ')
    const name = command.toUpperCase()
    const argument = rest.join(' ')
    const { fault, reply } = await takeRequest(printer, `FTP ${name}`, () => answer(name, argument))
    if (fault?.kind === 'key') control.write('530 Login incorrect\r\n')
    else if (fault?.kind === 'refused')
      control.write(`${fault.status === 553 ? 553 : 552} ${refusalOf(fault)}\r\n`)
    else if (fault?.kind === 'redirect')
      control.write(`${await redirect(name, argument, fault.to ?? '10.0.0.1')}\r\n`)
    else if (fault) misbehaveOn(control, fault, Buffer.from(`${reply}\r\n`))
    else control.write(`${reply}\r\n`)
  }

  let pending = ''
  let last = Promise.resolve()
  control.setEncoding('utf8')
  control.write('220 (simulated)\r\n')
  control.on('data', (text: string) => {
    const lines = (pending + text).split('\r\n')
    pending = lines.pop() ?? ''
    for (const line of lines) last = last.then(() => serve(line)).catch(() => void control.destroy())
  })
}

const passive = (host: string, port: number): string =>
  `227 Entering Passive Mode (${host.replaceAll('.', ',')},${Math.floor(port / 256)},${port % 256})`

async function readAll(socket: TLSSocket): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}
