/** Licenses of models. The names come from the specification. */
export const LICENSE_TYPES = ['Public Domain', 'CC0', 'CC BY', 'CC BY-SA', 'CC BY-NC', 'Custom'] as const
export type LicenseType = (typeof LICENSE_TYPES)[number]

export const DEFAULT_LICENSE_TYPE: LicenseType = 'Public Domain'

/** Returns whether the license itself forbids selling prints. A Custom license leaves the question open. */
export const forbidsSale = (license: LicenseType): boolean => license === 'CC BY-NC'

/** Returns whether the license itself allows selling prints. BY licenses require credit. */
export const allowsSale = (license: LicenseType): boolean => !forbidsSale(license) && license !== 'Custom'

/**
 * Returns whether prints must not be sold. The license decides, or a person if the license leaves the
 * question open.
 */
export const isSaleForbidden = (model: {
  license_type: LicenseType
  sale_allowed: boolean | null
}): boolean =>
  forbidsSale(model.license_type) || (!allowsSale(model.license_type) && model.sale_allowed === false)

/** Returns whether a seller of prints must name the author. */
export const requiresAttribution = (license: LicenseType): boolean => license.startsWith('CC BY')
