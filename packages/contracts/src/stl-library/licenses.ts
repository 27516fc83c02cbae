/** The licences a model can carry, by the names the specification gives them. */
export const LICENSE_TYPES = ['Public Domain', 'CC0', 'CC BY', 'CC BY-SA', 'CC BY-NC', 'Custom'] as const
export type LicenseType = (typeof LICENSE_TYPES)[number]

export const DEFAULT_LICENSE_TYPE: LicenseType = 'Public Domain'

/** Whether the licence itself forbids selling prints. A Custom licence says nothing by its name. */
export const forbidsSale = (license: LicenseType): boolean => license === 'CC BY-NC'

/** Whether the licence itself allows selling prints, with credit where it is a BY licence. */
export const allowsSale = (license: LicenseType): boolean => !forbidsSale(license) && license !== 'Custom'

/** Whether whoever sells prints has to name the author. */
export const requiresAttribution = (license: LicenseType): boolean => license.startsWith('CC BY')
