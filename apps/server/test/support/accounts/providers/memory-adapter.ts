import type { Adapter, AdapterPayload } from 'oidc-provider'

/**
 * Creates the class in which a provider stores its sessions, codes and tokens. It keeps them in memory, for one test.
 */
export function createMemoryAdapter(): new (kind: string) => Adapter {
  const rows = new Map<string, AdapterPayload>()
  return class MemoryAdapter implements Adapter {
    readonly #kind: string

    constructor(kind: string) {
      this.#kind = kind
    }

    #key = (id: string): string => `${this.#kind}:${id}`

    #findBy = async (field: 'uid' | 'userCode', value: string): Promise<AdapterPayload | undefined> =>
      [...rows].find(([key, row]) => key.startsWith(`${this.#kind}:`) && row[field] === value)?.[1]

    upsert = async (id: string, payload: AdapterPayload): Promise<void> =>
      void rows.set(this.#key(id), payload)

    find = async (id: string): Promise<AdapterPayload | undefined> => rows.get(this.#key(id))

    findByUid = (uid: string): Promise<AdapterPayload | undefined> => this.#findBy('uid', uid)

    findByUserCode = (code: string): Promise<AdapterPayload | undefined> => this.#findBy('userCode', code)

    destroy = async (id: string): Promise<void> => void rows.delete(this.#key(id))

    revokeByGrantId = async (grantId: string): Promise<void> => {
      for (const [key, row] of rows) if (row.grantId === grantId) rows.delete(key)
    }

    consume = async (id: string): Promise<void> => {
      const row = rows.get(this.#key(id))
      if (row) row.consumed = Math.floor(Date.now() / 1000)
    }
  }
}
