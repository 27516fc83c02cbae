import {
  ALERT_KINDS,
  type AlertChoice,
  type AlertChoices,
  defaultAlertChoices,
} from '@pegasus/contracts/alerts/alerts'

/** The choices of a person as stored. Some can be missing, because earlier versions stored fewer of them. */
export type StoredChoices = Partial<
  Record<keyof AlertChoices, Omit<AlertChoice, 'by_push'> & Partial<Pick<AlertChoice, 'by_push'>>>
>

/**
 * Returns the choices of a person, with the defaults of the role where the person has made none. Until a person chooses
 * alerts for devices, the devices get the same alerts as the inbox.
 */
export function completeChoices(role: string, stored: StoredChoices | null): AlertChoices {
  const choices = defaultAlertChoices(role)
  for (const kind of ALERT_KINDS) {
    const chosen = stored?.[kind]
    if (chosen) choices[kind] = { ...chosen, by_push: chosen.by_push ?? chosen.in_app }
  }
  return choices
}
