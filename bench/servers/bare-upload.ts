// The minimum work of an upload: the form parser, SHA-256, and the same disk with the same sync calls.
import { createHash } from 'node:crypto'
import { open, rename } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyPluginCallback, FastifyRequest } from 'fastify'
import { requireFrom } from '../lib/workspace-packages.ts'

const { PORT = '', FOLDER = '' } = process.env
const ofServer = requireFrom('server')
const http = (ofServer('fastify') as () => FastifyInstance)()
await http.register(ofServer('@fastify/multipart') as FastifyPluginCallback<{ limits: object }>, {
  limits: { fileSize: 2 ** 31 },
})

interface WithForm {
  file(): Promise<{ file: Readable }>
}

http.get('/healthz', async () => 'ok')
http.post('/upload', async (request, reply) => {
  const hash = createHash('sha256')
  const path = `${FOLDER}/pending`
  const file = await open(path, 'w')
  const part = await (request as FastifyRequest & WithForm).file()
  for await (const chunk of part.file as AsyncIterable<Buffer>) {
    hash.update(chunk)
    await file.write(chunk)
  }
  await file.sync()
  await file.close()
  await rename(path, `${FOLDER}/${hash.digest('hex')}`)
  return reply.code(201).send({ ok: true })
})

await http.listen({ port: Number(PORT), host: '127.0.0.1' })
process.on('SIGTERM', () => process.exit(0))
