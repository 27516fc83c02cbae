/** The spellings of a module's name, in the plural and the singular. */
export interface ModuleName {
  /** The spelling for the folder, the path and the tag: `packing-stations`. */
  kebab: string
  /** The spelling for the table: `packing_stations`. */
  table: string
  /** `Many` and `One` are spellings for types: `PackingStations` and `PackingStation`. */
  Many: string
  One: string
  /** `many` and `one` are spellings for variables: `packingStations` and `packingStation`. */
  many: string
  one: string
  /** `manyText` and `oneText` are spellings in sentences: `packing stations` and `packing station`. */
  manyText: string
  oneText: string
}

/** Parses a module's name, which must be a plural noun in kebab case. Otherwise throws an error that explains this. */
export function readModuleName(text: string | undefined): ModuleName {
  if (!text || !/^[a-z]+(-[a-z]+)*s$/.test(text))
    throw new Error(
      'Name the module with a plural noun in lower case, such as: npm run new:module packing-stations',
    )
  const singular = text.endsWith('ies') ? `${text.slice(0, -3)}y` : text.slice(0, -1)
  const Many = pascalCase(text)
  const One = pascalCase(singular)
  return {
    kebab: text,
    table: text.replaceAll('-', '_'),
    Many,
    One,
    many: uncapitalize(Many),
    one: uncapitalize(One),
    manyText: text.replaceAll('-', ' '),
    oneText: singular.replaceAll('-', ' '),
  }
}

const pascalCase = (kebab: string): string =>
  kebab
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

const uncapitalize = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
