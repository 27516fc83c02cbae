-- The usernames only. The view `people` would look up a role for each row of a list that shows a name.
create view usernames as select id, username from accounts;
