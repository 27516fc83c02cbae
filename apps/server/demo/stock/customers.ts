import type { ShippingAddress } from '@pegasus/contracts/orders/order-body'

/** A customer of the demo. Businesses return and buy larger quantities. The addresses do not exist. */
export interface DemoCustomer {
  name: string
  email: string
  address: ShippingAddress
  isBusiness: boolean
  /** Whether the customer orders again and again. */
  isRegular: boolean
}

interface Town {
  country: string
  city: string
  postalCode: string
  streets: readonly string[]
  /** Known customers, with the name in the email address if it cannot be derived from the name. */
  regulars: readonly (string | readonly [name: string, mailbox: string])[]
  businesses?: readonly (string | readonly [name: string, mailbox: string])[]
  /** Names of customers who order once or twice. */
  names?: readonly [first: readonly string[], last: readonly string[]]
}

const TOWNS: readonly Town[] = [
  {
    country: 'DE',
    city: 'Offenbach am Main',
    postalCode: '63065',
    streets: ['Ludwigstraße', 'Bernardstraße', 'Kaiserstraße', 'Mainstraße'],
    regulars: ['Wolfgang Amadeus Huber', 'Hedvig Ångström', ['שירה לוי', 'shira.levi'], 'Ana-Maria Ionescu'],
    businesses: [
      ['Bibliothek der Hochschule für Gestaltung Offenbach am Main', 'bibliothek.hfg'],
      'Atelier Brandt GmbH',
      ['Spielwiese Brettspielcafé', 'spielwiese'],
    ],
    names: [
      ['Anna', 'Jonas', 'Katrin', 'Sebastian', 'Miriam', 'Lukas', 'Heike', 'Timo'],
      ['Schäfer', 'Krüger', 'Vogt', 'Baumann', 'Lorenz', 'Hartwig', 'Seidel'],
    ],
  },
  {
    country: 'PL',
    city: 'Kraków',
    postalCode: '31-010',
    streets: ['ul. Floriańska', 'ul. Szewska', 'ul. Karmelicka', 'ul. Dietla'],
    regulars: [
      'Agnieszka Szczęsna-Brzęczyszczykiewicz',
      'Grzegorz Żółkiewski',
      'Łukasz Wiśniewski',
      'Zażółć Gęślą-Jaźń',
      'Tomasz Kaczmarek',
      ['Олександра Шевченко', 'oleksandra.shevchenko'],
    ],
    businesses: [['Makerspace Kraków Sp. z o.o.', 'makerspace.krakow']],
    names: [
      ['Marta', 'Paweł', 'Joanna', 'Kamil', 'Ewa', 'Michał'],
      ['Nowicki', 'Zając', 'Pawlak', 'Sikora', 'Dudek'],
    ],
  },
  {
    country: 'GB',
    city: 'Bristol',
    postalCode: 'BS1 4ST',
    streets: ['Harbour Street', 'King Street', 'Park Row', 'Colston Avenue'],
    regulars: [
      'Emma Clarke',
      'Oliver Grant',
      'Priya Raghunathan',
      'Ruth Abramson',
      'J. D.',
      'Chidi Okonkwo',
      ['محمد عبد الرحمن', 'm.abdelrahman'],
    ],
    businesses: ['Harbour Street Hardware', ['Northwind Robotics Club (school order)', 'northwind.robotics']],
    names: [
      ['Grace', 'Harry', 'Amelia', 'Callum', 'Isla', 'Rhys', 'Freya', 'Nathan'],
      ['Whitfield', 'Barrow', 'Sutton', 'Pritchard', 'Kerr', 'Holloway', 'Marsh'],
    ],
  },
  {
    country: 'IE',
    city: 'Galway',
    postalCode: 'H91 E4X2',
    streets: ['Shop Street', 'Quay Street', 'Dominick Street'],
    regulars: ['Hannah Fitzgerald', ['Ó Súilleabháin & Daughters', 'osuilleabhain'], 'Bo Li'],
    names: [
      ['Aoife', 'Cian', 'Niamh', 'Declan'],
      ['Doyle', 'Kinsella', 'Byrne'],
    ],
  },
  {
    country: 'DK',
    city: 'Kongens Lyngby',
    postalCode: '2800',
    streets: ['Lyngby Hovedgade', 'Anker Engelunds Vej', 'Klampenborgvej'],
    regulars: ['Søren Kjærgaard', 'Þórunn Björk Sigurðardóttir', 'Sofia Lindqvist'],
    businesses: [
      [
        'Wind Tunnel Lab, Technical University of Denmark – Department of Wind and Energy Systems',
        'windtunnel.lab',
      ],
    ],
    names: [
      ['Mette', 'Anders', 'Freja', 'Mikkel', 'Signe'],
      ['Holm', 'Bach', 'Lund', 'Østergaard'],
    ],
  },
  {
    country: 'FR',
    city: 'Lyon',
    postalCode: '69002',
    streets: ['rue Mercière', 'rue de la Charité', 'quai Tilsitt'],
    regulars: [
      'Noé Lefèvre',
      ['ليلى حداد', 'leila.haddad'],
      ['فاطمة الزهراء بنت علي', 'fatima.zahra'],
      'Nguyễn Thị Minh Khai',
    ],
    names: [
      ['Camille', 'Hugo', 'Inès', 'Théo', 'Manon', 'Baptiste'],
      ['Garnier', 'Perrin', 'Chevalier', 'Besson', 'Marchand'],
    ],
  },
  {
    country: 'PT',
    city: 'Porto',
    postalCode: '4050-124',
    streets: ['Rua das Flores', 'Rua de Cedofeita', 'Avenida da Boavista'],
    regulars: ['João Pedro d’Alcântara', 'Inés Muñoz Carrasco', 'Lucía Fernández', 'Mateo Rojas'],
    businesses: ['Fábrica de Ideias Lda.'],
    names: [
      ['Beatriz', 'Tiago', 'Marta', 'Rui'],
      ['Carvalho', 'Pinto', 'Moreira'],
    ],
  },
  {
    country: 'IT',
    city: 'Torino',
    postalCode: '10123',
    streets: ['Via Po', 'Via Maria Vittoria', 'Corso Vinzaglio'],
    regulars: ['Marcus Aurelio Bianchi', ['Δημήτρης Παπαδόπουλος', 'd.papadopoulos'], 'Ayşe Yıldırım'],
    names: [
      ['Giulia', 'Davide', 'Chiara', 'Matteo'],
      ['Ferrero', 'Gallo', 'Conti'],
    ],
  },
  {
    country: 'NL',
    city: 'Utrecht',
    postalCode: '3511 LN',
    streets: ['Oudegracht', 'Voorstraat', 'Lange Nieuwstraat'],
    regulars: ['Ingrid van der Meer', ['김서연', 'seoyeon.kim'], ['陈晓明', 'xiaoming.chen']],
    names: [
      ['Sanne', 'Daan', 'Fleur', 'Bram', 'Lotte'],
      ['de Wit', 'Bakker', 'Smit', 'Visser'],
    ],
  },
  {
    country: 'JP',
    city: '京都市中京区',
    postalCode: '604-8091',
    streets: ['寺町通', '三条通', '河原町通'],
    regulars: ['Keiko Tanaka', ['山田 花子', 'hanako.yamada'], ['佐藤 健一', 'kenichi.sato']],
    businesses: [['株式会社 小さな工房', 'chiisana.kobo']],
  },
]

const LETTERS: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  æ: 'ae',
  ß: 'ss',
  þ: 'th',
  ð: 'd',
  ı: 'i',
}

/** Returns the name in an email address for a name in Latin letters: `Łukasz Wiśniewski` becomes `lukasz.wisniewski`. */
const mailboxOf = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{Mark}|['’.]/gu, '')
    .replaceAll(/[^a-z]/g, (letter) => LETTERS[letter] ?? '.')
    .replaceAll(/\.+/g, '.')
    .replaceAll(/^\.|\.$/g, '')

function customersOf({ country, city, postalCode, streets, ...people }: Town): DemoCustomer[] {
  const { regulars, businesses = [], names: [first, last] = [[], []] } = people
  // Each first name has a different last name than its neighbors, so that the names do not look like a table.
  const others = first.flatMap((name, i) =>
    last.filter((_, k) => (i + k) % 2 === 0).map((family) => `${name} ${family}`),
  )
  const all = [
    ...regulars.map((who) => ({ who, isBusiness: false, isRegular: true })),
    ...businesses.map((who) => ({ who, isBusiness: true, isRegular: true })),
    ...others.map((who) => ({ who, isBusiness: false, isRegular: false })),
  ]
  return all.map(({ who, ...kind }, index) => {
    const [name, mailbox] = typeof who === 'string' ? [who, mailboxOf(who)] : who
    const street = streets[index % streets.length] ?? ''
    const address = {
      name: kind.isBusiness ? null : name,
      company: kind.isBusiness ? name : null,
      line1: `${street} ${3 + ((index * 17) % 83)}`,
      line2: null,
      postal_code: postalCode,
      city,
      region: null,
      country,
      phone: null,
    }
    return { name, email: `${mailbox}@mail.example`, address, ...kind }
  })
}

export const DEMO_CUSTOMERS: readonly DemoCustomer[] = TOWNS.flatMap(customersOf)
