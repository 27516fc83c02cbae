// Uploads one model as a form, as fast as the server accepts it.
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { modelBlocks } from './model-file.ts'

export interface Upload {
  port: number
  path: string
  headers: Record<string, string>
  sizeBytes: number
  /** A number that makes this upload differ from all others. */
  mark: number
}

export interface UploadResult {
  status: number
  body: string
  seconds: number
  sentBytes: number
}

const BOUNDARY = 'pegasus-bench-form'

async function send({ port, path, headers, sizeBytes, mark }: Upload): Promise<UploadResult> {
  // Prepare all bytes in advance, so that only the server is measured.
  const blocks = [...modelBlocks(sizeBytes, mark)]
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="bench.stl"\r\ncontent-type: model/stl\r\n\r\n`
  const startedAt = performance.now()
  const call = request({
    host: '127.0.0.1',
    port,
    path,
    method: 'POST',
    headers: { ...headers, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  })
  const { promise, resolve, reject } = Promise.withResolvers<UploadResult>()
  let sentBytes = 0
  call.on('error', reject)
  call.on('response', (response) => {
    void text(response).then(
      (body) =>
        resolve({
          status: response.statusCode ?? 0,
          body,
          seconds: (performance.now() - startedAt) / 1000,
          sentBytes,
        }),
      reject,
    )
  })
  call.write(head)
  for (const block of blocks) {
    sentBytes += block.length
    if (!call.write(block)) await new Promise((drained) => call.once('drain', drained))
  }
  call.end(`\r\n--${BOUNDARY}--\r\n`)
  return promise
}

process.on('message', (upload: Upload) => {
  send(upload).then(
    (result) => {
      process.send!(result)
      process.disconnect()
    },
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
