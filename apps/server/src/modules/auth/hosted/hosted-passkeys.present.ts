import type { HostedPasskey } from '@pegasus/contracts/auth/hosted-passkeys'
import type { CredentialRow } from '../webauthn/credentials.queries.ts'

export const presentPasskey = (row: CredentialRow): HostedPasskey => ({
  id: row.id,
  friendly_name: row.friendly_name,
  created_at: row.created_at,
  ...(row.last_used_at && { last_used_at: row.last_used_at }),
})
