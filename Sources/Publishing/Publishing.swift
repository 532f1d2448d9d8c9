// Publishing
