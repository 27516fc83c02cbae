-- The names of accounts alone. The view `people` costs a look-up of the role for each row of a list that shows a name.
create view usernames as select id, username from accounts;
