import { createHash, randomBytes } from 'node:crypto'
import type { OAuthClientBody } from '@pegasus/contracts/auth/hosted-oauth-clients'
import { v7 as uuidv7 } from 'uuid'
import type { AuditContext } from '../../../platform/actor.ts'
import type { Database, TransactionSql } from '../../../platform/database/database.ts'
import { AppError, orThrow } from '../../../platform/errors/app-error.ts'
import { type AuditEvent, writeAudit } from '../../audit/index.ts'
import { readClientValues } from './client-fields.ts'
import {
  type OAuthClientRow,
  countClients,
  deleteClient,
  findClient,
  insertClient,
  listClients,
  lockClient,
  lockRegistrations,
  replaceSecret,
  updateClient,
} from './oauth-clients.queries.ts'

const MAX_CLIENTS = 200

/**
 * A client with its new secret. The secret is null for a public client. The database stores only the hash of a secret.
 */
export interface RegisteredClient {
  client: OAuthClientRow
  secret: string | null
}

/** Registers programs as OAuth clients, on request of programs with a secret key. */
export interface OAuthClients {
  list(page: { page: number; perPage: number }): Promise<{ clients: OAuthClientRow[]; total: number }>
  /** Returns a client. Throws OAUTH_CLIENT_NOT_FOUND. */
  get(id: string): Promise<OAuthClientRow>
  /** Registers a client. Throws REQUEST_INCOMPLETE for an invalid field, and if there are too many clients. */
  register(body: OAuthClientBody, audit: AuditContext): Promise<RegisteredClient>
  /** Changes the given fields. Throws OAUTH_CLIENT_NOT_FOUND or REQUEST_INCOMPLETE. */
  update(id: string, body: OAuthClientBody, audit: AuditContext): Promise<OAuthClientRow>
  /** Replaces the secret. Throws OAUTH_CLIENT_NOT_FOUND, or REQUEST_INCOMPLETE for a public client. */
  replaceSecret(id: string, audit: AuditContext): Promise<RegisteredClient>
  /** Removes a client. Throws OAUTH_CLIENT_NOT_FOUND. */
  remove(id: string, audit: AuditContext): Promise<void>
}

const newSecret = (): string => randomBytes(32).toString('base64url')
const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** Picks the fields for the audit. Their names must not look like secrets, because the audit refuses such names. */
const audited = (row: OAuthClientRow) => ({
  client_name: row.name,
  client_type: row.client_type,
  auth_method: row.auth_method,
  redirect_uris: row.redirect_uris,
  grant_types: row.grant_types,
  client_uri: row.client_uri,
  logo_uri: row.logo_uri,
  scope: row.scope,
})

export function createOAuthClients({ database }: { database: Database }): OAuthClients {
  const record = (
    tx: TransactionSql,
    row: OAuthClientRow,
    change: Pick<AuditEvent, 'action' | 'before' | 'after'>,
    audit: AuditContext,
  ): Promise<void> => {
    const subject = { entity: 'oauth_client', entityId: row.id, entityName: row.name } as const
    return writeAudit(tx, { ...change, ...subject } as AuditEvent, audit)
  }

  const lock = async (tx: TransactionSql, id: string) =>
    orThrow(await lockClient(tx, id), 'OAUTH_CLIENT_NOT_FOUND')

  return {
    async list(page) {
      const [clients, total] = await Promise.all([
        listClients(database.sql, page),
        countClients(database.sql),
      ])
      return { clients, total }
    },

    get: async (id) => orThrow(await findClient(database.sql, id), 'OAUTH_CLIENT_NOT_FOUND'),

    register(body, audit) {
      const values = readClientValues(body, null)
      const secret = values.clientType === 'public' ? null : newSecret()
      const secretHash = secret === null ? null : hashSecret(secret)
      return database.transaction(async (tx) => {
        await lockRegistrations(tx)
        if ((await countClients(tx)) >= MAX_CLIENTS)
          throw new AppError('REQUEST_INCOMPLETE', {
            text: `There are ${MAX_CLIENTS} OAuth clients, which is the maximum`,
          })
        const client = await insertClient(tx, { id: uuidv7(), values, secretHash, now: audit.now })
        await record(tx, client, { action: 'oauth_client.registered', after: audited(client) }, audit)
        return { client, secret }
      })
    },

    update: (id, body, audit) =>
      database.transaction(async (tx) => {
        const before = await lock(tx, id)
        const client = await updateClient(tx, id, readClientValues(body, before), audit.now)
        const sides = { before: audited(before), after: audited(client) }
        await record(tx, client, { action: 'oauth_client.updated', ...sides }, audit)
        return client
      }),

    replaceSecret: (id, audit) =>
      database.transaction(async (tx) => {
        if ((await lock(tx, id)).client_type === 'public')
          throw new AppError('REQUEST_INCOMPLETE', { text: 'Cannot regenerate secret for public client' })
        const secret = newSecret()
        const client = await replaceSecret(tx, id, hashSecret(secret), audit.now)
        await record(tx, client, { action: 'oauth_client.secret_replaced' }, audit)
        return { client, secret }
      }),

    remove: (id, audit) =>
      database.transaction(async (tx) => {
        const client = await lock(tx, id)
        await deleteClient(tx, id)
        await record(tx, client, { action: 'oauth_client.removed', before: audited(client) }, audit)
      }),
  }
}
