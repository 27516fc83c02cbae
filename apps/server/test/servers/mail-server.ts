import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

export interface Received {
  to: string[]
  from: string
  source: string
}

/** The steps of an email at which the server can refuse it, in the order of the protocol. */
type Step = 'sender' | 'recipient' | 'content'

/**
 * Starts a mail server that refuses the first `refuses` emails, with the status `code`: 451 is a temporary refusal, 550
 * a permanent one.
 */
export async function aMailServer(
  options: { refuses?: number; code?: 451 | 550; words?: string; at?: Step } = {},
) {
  const { refuses = 0, code = 451, words = 'Try again later', at = 'content' } = options
  const received: Received[] = []
  let attempts = 0
  const refusalAt = (step: Step): Error | null => {
    if (step !== at) return null
    attempts += 1
    return attempts <= refuses ? Object.assign(new Error(words), { responseCode: code }) : null
  }
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onMailFrom: (_address, _session, done) => done(refusalAt('sender')),
    onRcptTo: (_address, _session, done) => done(refusalAt('recipient')),
    onData(stream, session, done) {
      let source = ''
      stream.setEncoding('utf8')
      stream.on('data', (chunk: string) => (source += chunk))
      stream.on('end', () => {
        const refusal = refusalAt('content')
        if (refusal) return done(refusal)
        const { rcptTo, mailFrom } = session.envelope
        received.push({
          to: rcptTo.map(({ address }) => address),
          from: mailFrom ? mailFrom.address : '',
          source: source.replace(/=\r\n/g, '').replaceAll('=3D', '='),
        })
        return done()
      })
    },
  })
  const port = await new Promise<number>((resolve) => {
    const listening = server.listen(0, '127.0.0.1', () => resolve((listening.address() as AddressInfo).port))
  })
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { received, countAttempts: () => attempts, url: `smtp://127.0.0.1:${port}` }
}

export const linkIn = (mail: Received | undefined): string => {
  const link = /href="([^"]+)"/.exec(mail?.source ?? '')?.[1] ?? ''
  return link.replaceAll('&amp;', '&')
}
