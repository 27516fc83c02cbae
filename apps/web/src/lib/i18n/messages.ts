/**
 * The texts of the app. Each text is written in English where it is used, as a message in ICU format, and
 * `catalogs/<language>.json` maps it to its translation.
 */
import { createElement, Fragment, type ReactNode } from 'react'
import { logWarning } from '../browser/log.ts'
import { type Language, LANGUAGES } from '@pegasus/contracts/texts/languages'
import { isolateText, language, languageLocale } from './languages.ts'
import { formatMessage, formatParts, type MessageValues } from '@pegasus/contracts/texts/message-format'

type Catalog = Readonly<Record<string, string>>

const CATALOGS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: Catalog }>>> = {
  de: () => import('./catalogs/de.json'),
  he: () => import('./catalogs/he.json'),
}

// Modules that use texts are executed after this one, so they can translate constants too.
const catalog: Catalog = language === 'en' ? {} : await loadCatalog(language)

async function loadCatalog(chosen: Exclude<Language, 'en'>): Promise<Catalog> {
  try {
    return (await CATALOGS[chosen]()).default
  } catch (error) {
    document.documentElement.lang = 'en'
    document.documentElement.dir = 'ltr'
    logWarning(`The texts in ${LANGUAGES[chosen].name} could not be loaded; the texts are in English.`, error)
    return {}
  }
}

/**
 * Returns a text in the person's language.
 *
 * @param message The English text in ICU format. A text without a translation stays English.
 */
export const t = (message: string, values: MessageValues = {}): string =>
  formatMessage(translate(message), values, localeOf(message), isolateText)

/**
 * Returns a text that contains elements. A value can be an element, or a function that wraps the text between the
 * tags of its name: `rich('Set <code>{name}</code>.', { name, code: (text) => <code>{text}</code> })`.
 */
export function rich(message: string, values: Readonly<Record<string, RichValue>>): ReactNode {
  const parts = formatParts(translate(message), values, localeOf(message), isolateText, splitTags)
  return createElement(Fragment, null, ...wrapTags(parts as (ReactNode | Tag)[], values))
}

/** Returns the parts of a text in order. Use it if some values of the text are not strings. */
export const messageParts = <Part>(
  message: string,
  values: Readonly<Record<string, Part>>,
): (Part | string)[] => formatParts(translate(message), values, localeOf(message)) as (Part | string)[]

type RichValue = ReactNode | ((text: ReactNode) => ReactNode)

const translate = (message: string): string => catalog[message] ?? message
const localeOf = (message: string): string => (catalog[message] === undefined ? 'en-US' : languageLocale)

/** A tag in the text of a message. */
class Tag {
  readonly name: string
  readonly isEnd: boolean

  constructor(source: string) {
    this.name = source.replaceAll(/\W/g, '')
    this.isEnd = source.startsWith('</')
  }
}

/** Divides the text of a message at its tags. */
const splitTags = (text: string): (string | Tag)[] =>
  // The parts with an odd index are the tags.
  text.split(/(<\/?[a-z]\w*>)/).map((part, index) => (index % 2 === 1 ? new Tag(part) : part))

/** Replaces pairs of tags by the elements that their functions return. */
function wrapTags(
  parts: readonly (ReactNode | Tag)[],
  values: Readonly<Record<string, RichValue>>,
): ReactNode[] {
  const openTags: { name: string; children: ReactNode[] }[] = [{ name: '', children: [] }]
  for (const part of parts) {
    if (!(part instanceof Tag)) openTags.at(-1)?.children.push(part)
    else if (!part.isEnd) openTags.push({ name: part.name, children: [] })
    else {
      const { name, children } = openTags.pop() ?? { name: '', children: [] }
      const wrap = values[name]
      if (name !== part.name || typeof wrap !== 'function')
        throw new Error(`the tag <${part.name}> has no function`)
      openTags.at(-1)?.children.push(wrap(createElement(Fragment, null, ...children)))
    }
  }
  return openTags[0]?.children ?? []
}
