import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const DEPLOY = join(import.meta.dirname, '../../deploy')
const readExample = (path: string): string => readFileSync(join(DEPLOY, path), 'utf8')

/** Returns the first group of each match. Throws if there is no match, because the test would then check nothing. */
function findAll(text: string, pattern: RegExp): string[] {
  const found = [...text.matchAll(pattern)].map(([, group = '']) => group)
  expect(found, `matches of ${String(pattern)}`).not.toEqual([])
  return found
}

it('the systemd unit lets the server write to each folder of its settings', () => {
  const [writable = ''] = findAll(readExample('systemd/pegasus-ops@.service'), /^ReadWritePaths=(.*)$/gm)
  const folders = findAll(
    readExample('systemd/pegasus-ops.env'),
    /^(?:STORAGE_URL=file:\/\/|BACKUP_DIR=)(.*)$/gm,
  )
  expect(folders).toHaveLength(2)
  const outside = folders.filter(
    (folder) =>
      !writable
        .replaceAll(' -', ' ')
        .split(' ')
        .some((path) => folder === path || folder.startsWith(`${path}/`)),
  )
  expect(outside).toEqual([])
})

it('systemd starts a replica again without end, however long its database does not respond', () => {
  const unit = readExample('systemd/pegasus-ops@.service')
  // Without this, systemd gives up after five starts within ten seconds.
  expect(unit).toMatch(/\[Unit\][^[]*^StartLimitIntervalSec=0$/m)
  expect(unit).toMatch(/^Restart=always$/m)
})

it('the compose file mounts only files that exist, and folders that the image creates for its account', () => {
  const compose = readExample('docker/compose.yaml')
  const mounted = findAll(compose, /^\s+- (\.[./\w-]+):\/[\w.-]+:ro$/gm)
  // The folder of certificates may be missing, because the operator adds it.
  const missing = mounted.filter(
    (path) => path !== './certificates' && !existsSync(join(DEPLOY, 'docker', path)),
  )
  expect(missing).toEqual([])
  const [created = ''] = findAll(readExample('docker/Dockerfile'), /chown pegasus:pegasus (.*?) *\\?$/gm)
  const volumes = findAll(compose, /volumes: \[(.*backups.*)\]$/gm).flatMap((list) =>
    findAll(list, /:(\/\w+)'/g),
  )
  expect(new Set(volumes)).toEqual(new Set(created.split(' ')))
})

it('the nginx of the compose file has the addresses of both replicas and the folder of the certificate', () => {
  const compose = readExample('docker/compose.yaml')
  const changes = [...compose.matchAll(/-e s([/:])(.+?)\1(.+?)\1(?=\s)/g)].map(
    ([, , from = '', to = '']) => ({ from, to }),
  )
  const changed = changes.reduce((text, { from, to }) => {
    expect(text).toContain(from)
    return text.replaceAll(from, to)
  }, readExample('proxy/nginx.conf'))
  const replicas = findAll(compose, /ipv4_address: ([\d.]+)/g).map((address) => `${address}:3000`)
  expect(findAll(changed, /^\s+server ([\d.:]+) max_fails/gm)).toEqual(replicas)
  expect(findAll(changed, /ssl_certificate(?:_key)?\s+(\/\w+\/)/g)).toEqual([
    '/certificates/',
    '/certificates/',
  ])
  expect(compose).toContain('- ./certificates:/certificates:ro')
})
