import type { Role } from '@pegasus/contracts/roles'
import { expect, type Locator, type Page } from '@playwright/test'
import type { FilledShop } from '../support/staffed-shop.ts'

/** Something that people can come to see. Every one of the product stands in a list of this folder. */
export interface Screen {
  /** Stands in the report of whatever is wrong with it. */
  name: string
  /** Who sees it; null while nobody is signed in. */
  as: Role | null
  address: string | ((shop: FilledShop) => string)
  /** Runs before the address is opened, to have the server answer otherwise. */
  prepare?: (page: Page) => Promise<unknown>
  /** Does what the address alone does not, and waits until the screen is there. */
  open: (page: Page) => Promise<unknown>
  /** Where it is to be seen at all; both if absent. */
  only?: 'desktop' | 'phone'
}

/** Waits for what tells that a screen is there. */
export const shows = (find: (page: Page) => Locator) => (page: Page) =>
  expect(find(page).first()).toBeVisible()

export const showsHeading = (name: string | RegExp) => shows((page) => page.getByRole('heading', { name }))
export const showsWords = (text: string | RegExp) => shows((page) => page.getByText(text))
export const showsAlert = (text: string | RegExp) =>
  shows((page) => page.getByRole('alert').filter({ hasText: text }))

export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true })
export const press = (page: Page, name: string): Promise<void> => button(page, name).click()

/** Has the server's answers at an address say that it is in trouble. */
export const failing = (address: string) => (page: Page) =>
  page.route(address, (route) =>
    route.fulfill({ status: 503, json: { detail: 'The database cannot be reached at the moment.' } }),
  )

/** Keeps the server's answers at an address from coming. */
export const neverAnswering = (address: string) => (page: Page) => page.route(address, () => {})

/** Keeps an address from being reached at all. */
export const cutOff = (address: string) => (page: Page) => page.route(address, (route) => route.abort())
