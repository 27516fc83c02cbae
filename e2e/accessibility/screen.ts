import type { Role } from '@pegasus/contracts/roles'
import { expect, type Locator, type Page } from '@playwright/test'
import type { FilledShop } from '../support/staffed-shop.ts'

/** A screen that people can reach. The lists of this folder contain every screen of the product. */
export interface Screen {
  /** Named in the report of its faults. */
  name: string
  /** The role that sees it; null before the sign-in. */
  as: Role | null
  address: string | ((shop: FilledShop) => string)
  /** Runs before the address is opened, to change the server's responses or what the browser has stored. */
  prepare?: (page: Page) => Promise<unknown>
  /** Does the rest after opening the address, and waits until the screen is visible. */
  open: (page: Page) => Promise<unknown>
  /** The only project that has this screen; both if absent. */
  only?: 'desktop' | 'phone'
}

/** Waits for an element that shows that a screen is ready. */
export const shows = (find: (page: Page) => Locator) => (page: Page) =>
  expect(find(page).first()).toBeVisible()

export const showsHeading = (name: string | RegExp) => shows((page) => page.getByRole('heading', { name }))
export const showsWords = (text: string | RegExp) => shows((page) => page.getByText(text))
export const showsAlert = (text: string | RegExp) =>
  shows((page) => page.getByRole('alert').filter({ hasText: text }))

export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true })
export const press = (page: Page, name: string): Promise<void> => button(page, name).click()

/** Makes the server answer an address with an error. */
export const failing = (address: string) => (page: Page) =>
  page.route(address, (route) =>
    route.fulfill({ status: 503, json: { detail: 'The database cannot be reached at the moment.' } }),
  )

/** Holds back the server's response at an address. */
export const neverAnswering = (address: string) => (page: Page) => page.route(address, () => {})

/** Makes an address unreachable. */
export const cutOff = (address: string) => (page: Page) => page.route(address, (route) => route.abort())
