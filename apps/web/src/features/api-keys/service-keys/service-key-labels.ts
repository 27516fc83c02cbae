import type { ServiceKeyKind } from '@pegasus/contracts/service-keys'
import { t } from '@/lib/i18n/messages.ts'

/** The purpose of each kind of service key, shown in the dialog that creates a key. */
export const SERVICE_KEY_HINTS: Readonly<Record<ServiceKeyKind, string>> = {
  publishable: t('identifies this instance in a browser or an app; gives no access by itself'),
  secret: t('for a server: manages accounts whose role is below admin, and reads all roles'),
  anon: t('a publishable key as a JWT, for programs that expect one'),
  service_role: t('a secret key as a JWT, for programs that expect one'),
}
