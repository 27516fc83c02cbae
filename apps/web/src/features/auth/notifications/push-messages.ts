import type { PushObstacle, PushRefusedError } from '@/lib/push/push-device.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Tells a person how to get notifications, for each reason why this browser cannot show them. */
export const OBSTACLES: Readonly<Record<PushObstacle, string>> = {
  'no-https': t(
    'Notifications need an encrypted connection. Open Pegasus Ops at an address that begins with https://.',
  ),
  'needs-install': t(
    'On an iPhone or iPad, add Pegasus Ops to the home screen first (Share, Add to Home Screen), then open it from there.',
  ),
  'no-push': t('This browser has no notifications. Use a current Chrome, Edge, Firefox or Safari.'),
  denied: t(
    'This browser blocks notifications from Pegasus Ops. Allow them in the site settings of the browser, then reload the page.',
  ),
}

/** Why notifications could not be turned on. */
export const REFUSALS: Readonly<Record<PushRefusedError['reason'], string>> = {
  denied: OBSTACLES.denied,
  dismissed: t(
    'The browser asked for permission and got no answer. Press the button again, then choose Allow.',
  ),
  'no-service': t(
    'The browser cannot reach its push service. Check the connection, and whether the browser allows push messages.',
  ),
}
