-- Owned by module auth: the rules for all sign-ins, which owners set.
create table sign_in_rules (
  is_only boolean primary key default true constraint sign_in_rules_one check (is_only),
  -- The roles whose people need a second factor. Until they have one, they can only set it up.
  second_factor_roles text[] not null default '{}' constraint sign_in_rules_roles
    check (second_factor_roles <@ array['viewer', 'employee', 'staff', 'admin', 'owner']),
  revision int not null default 1
);
insert into sign_in_rules default values;
